#!/usr/bin/env python3
"""How soon the fleet view is there, and how soon an alert is on it, in headless Chromium. scripts/bench-view prepares all that it needs.

usage: measure.py URL [--runs N] [--feed SECONDS] [--vehicles N]

URL is that of a running fleet-sync without tokens, e.g. http://127.0.0.1:8080/. It waits until N vehicles have reported. First view: from the
navigation to the frame in which the first alerts, the vehicles and the map's marks are all there, with nothing cached. Weight: what came over the
wire, headers included. Feed: from the moment at which the server received an alert message to the frame after the page showed it, over the
messages of SECONDS (let fleet-sim send some). Lists: the whole answer to a request of the API, the medians of 20. Status 1 when an aim is missed.
"""
import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

FIRST_VIEW_MS, WEIGHT_KIB, FEED_P99_MS, LIST_MS, SHIFT = 1500, 400, 1000, 50, 0.001

WATCH = """
window.shifts = 0;
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifts += e.value; })
    .observe({ type: "layout-shift", buffered: true });
const watch = () => {
  const count = (selector) => document.querySelectorAll(selector).length;
  if (count("#alert-rows li") && count("#vehicles li") && count(".pin")) requestAnimationFrame(() => (window.completeMs = performance.now()));
  else requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
window.delays = [];
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (type, handler, ...rest) {
  listen.call(this, type, type !== "alert" ? handler : (event) => {
    handler(event);
    const received = Date.parse(JSON.parse(event.data).receivedAt);
    requestAnimationFrame(() => window.delays.push(Date.now() - received));
  }, ...rest);
};
"""


class Chromium:
    """A browser, spoken to over a pair of pipes."""

    def __init__(self):
        command_end, self.commands = os.pipe()
        answers, answer_end = os.pipe()

        def hand_over():
            os.dup2(command_end, 20)
            os.dup2(answer_end, 21)
            os.dup2(20, 3)
            os.dup2(21, 4)

        self.folder = tempfile.TemporaryDirectory()
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={self.folder.name}", *root, "about:blank"],
            preexec_fn=hand_over, pass_fds=(3, 4, command_end, answer_end), stderr=subprocess.DEVNULL)
        os.close(command_end)
        os.close(answer_end)
        self.answers, self.rest, self.number, self.events = os.fdopen(answers, "rb", 0), b"", 0, []

    def read(self):
        while b"\0" not in self.rest:
            self.rest += self.answers.read(1 << 16)
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, parameters=None, session=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]
            self.events.append(answer)

    def page(self):
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable", session=session)
        self.call("Emulation.setDeviceMetricsOverride", {"width": 1366, "height": 768, "deviceScaleFactor": 1, "mobile": False}, session)
        self.call("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH}, session)
        return session, context


def value(browser, session, expression):
    return browser.call("Runtime.evaluate", {"expression": expression, "returnByValue": True}, session)["result"].get("value")


def ask(url, path, parameters=None):
    """The answer of the API, and how long it took in ms."""
    begun = time.perf_counter()
    with urllib.request.urlopen(url.rstrip("/") + path + ("?" + urllib.parse.urlencode(parameters) if parameters else "")) as answer:
        body = answer.read()
    return json.loads(body), (time.perf_counter() - begun) * 1000


def wait_for_vehicles(url, count):
    end = time.time() + 120
    while time.time() < end:
        found = len(ask(url, "/api/v1/vehicles", {"brief": "true"})[0]["vehicles"])
        if found >= count:
            return
        time.sleep(1)
    sys.exit(f"measure.py: {found} of {count} vehicles have reported after 120 s")


def measure_lists(url):
    """Medians of the lists that the pages and the command line ask for."""
    def ago(days):
        return (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)).isoformat(timespec="seconds").replace("+00:00", "Z")

    lists = [
        ("all", {}), ("last day", {"since": ago(1)}), ("a week half a year ago", {"since": ago(187), "until": ago(180)}), ("one fleet", {"fleet": "fleet-1"}),
        ("one vehicle", {"fleet": "fleet-1", "vehicle": "truck-17"}), ("collisions", {"kind": "collision"}), ("landmarks", {"kind": "landmark"}),
        ("critical", {"severity": "critical"}), ("warning, not reviewed", {"severity": "warning", "review": "new"}), ("late", {"late": "true"}),
        ("confirmed", {"review": "confirmed"}),
    ]
    worst = 0
    for name, parameters in lists:
        times = sorted(ask(url, "/api/v1/alerts", {**parameters, "limit": 100})[1] for _ in range(20))
        worst = max(worst, statistics.median(times))
        print(f"list, {name}: median {statistics.median(times):.1f} ms, longest {times[-1]:.1f} ms", flush=True)
    return worst


def measure_first_view(browser, url, runs):
    """Opens the live page again and again; the last one stays open."""
    times, weights, shifts, problems = [], [], [], []
    for run in range(runs):
        session, context = browser.page()
        browser.events.clear()
        browser.call("Page.navigate", {"url": url}, session)
        end = time.time() + 30
        while value(browser, session, "window.completeMs ?? null") is None and time.time() < end:
            time.sleep(0.05)
        complete = value(browser, session, "window.completeMs ?? null")
        if complete is None:
            sys.exit("measure.py: the page was not complete after 30 s")
        times.append(complete)
        time.sleep(2)
        rows, vehicles = (value(browser, session, f"document.querySelectorAll('{s}').length") for s in ("#alert-rows li", "#vehicles li"))
        shifts.append(value(browser, session, "window.shifts"))
        finished = [e["params"] for e in browser.events if e.get("method") == "Network.loadingFinished"]
        weights.append(sum(e["encodedDataLength"] for e in finished) / 1024)
        new = [e["params"] for e in browser.events if e.get("method") == "Runtime.exceptionThrown" or (
            e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error")]
        problems += new
        print(f"run {run + 1}: first view {times[-1]:.0f} ms, {weights[-1]:.0f} KiB in {len(finished)} answers, {rows} alerts and {vehicles} vehicles "
              f"listed, layout shift {shifts[-1]:.4f}, {len(new)} console errors", flush=True)
        if run + 1 < runs:
            browser.call("Target.disposeBrowserContext", {"browserContextId": context})
    return session, times, weights, shifts, problems


def main():
    options = argparse.ArgumentParser()
    options.add_argument("url")
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--feed", type=float, default=60)
    options.add_argument("--vehicles", type=int, default=1)
    options = options.parse_args()
    wait_for_vehicles(options.url, options.vehicles)
    browser = Chromium()
    session, times, weights, shifts, problems = measure_first_view(browser, options.url, options.runs)
    for problem in problems:
        print("console:", json.dumps(problem)[:300])
    value(browser, session, "window.delays.length = 0")
    end = time.time() + options.feed
    while time.time() < end:
        time.sleep(min(5, options.feed))
    delays = sorted(value(browser, session, "window.delays"))
    shift = value(browser, session, "window.shifts")
    browser.process.kill()
    browser.process.wait()
    if not delays:
        sys.exit("measure.py: no alert came while the page was open")
    p50, p99 = (delays[min(len(delays) - 1, int(share * len(delays)))] for share in (0.5, 0.99))
    print(f"feed: {len(delays)} messages in {options.feed:.0f} s, from receipt to the next frame p50 {p50} ms, p99 {p99} ms, worst {delays[-1]} ms")
    aims = [
        ("first view, median", statistics.median(times), FIRST_VIEW_MS, "ms"), ("weight", max(weights), WEIGHT_KIB, "KiB"),
        ("feed, p99", p99, FEED_P99_MS, "ms"), ("list, longest median", measure_lists(options.url), LIST_MS, "ms"),
        ("layout shift, with the feed", max([*shifts, shift]), SHIFT, ""), ("console errors", len(problems), 1, ""),
    ]
    print()
    for name, is_value, aim, unit in aims:
        print(f"{name:28} {is_value:10.4g} {unit:4} aim: below {aim:g} {unit:4} {'held' if is_value < aim else 'MISSED'}")
    print(f"{'first view, longest':28} {max(times):10.4g} ms")
    return int(any(is_value >= aim for _, is_value, aim, _ in aims))


sys.exit(main())
