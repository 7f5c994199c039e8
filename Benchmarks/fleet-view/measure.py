#!/usr/bin/env python3
"""How soon the fleet view is there, and how soon an alert is on it, in headless Chromium.

usage: measure.py URL [--runs N] [--feed SECONDS]

URL is that of a running fleet-sync, e.g. http://127.0.0.1:8080/. First view: from the navigation to the frame in which the first alerts, the vehicles
and the map's marks are all there. Weight: what came over the wire, headers included. Feed: from the moment at which the server received an alert message to
the frame after the page showed it, over the messages of SECONDS (let fleet-sim send some).
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

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


def main():
    options = argparse.ArgumentParser()
    options.add_argument("url")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--feed", type=float, default=0)
    options = options.parse_args()
    browser = Chromium()
    times = []
    for run in range(options.runs):
        session, context = browser.page()
        browser.events.clear()
        browser.call("Page.navigate", {"url": options.url}, session)
        end = time.time() + 30
        while value(browser, session, "window.completeMs ?? null") is None and time.time() < end:
            time.sleep(0.05)
        times.append(value(browser, session, "window.completeMs ?? null"))
        time.sleep(1)
        rows, vehicles = (value(browser, session, f"document.querySelectorAll('{s}').length") for s in ("#alert-rows li", "#vehicles li"))
        shift = value(browser, session, "window.shifts")
        finished = [e["params"] for e in browser.events if e.get("method") == "Network.loadingFinished"]
        weight = sum(e["encodedDataLength"] for e in finished)
        problems = [e for e in browser.events if e.get("method") == "Runtime.exceptionThrown" or (
            e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error")]
        print(f"run {run + 1}: first view {times[-1]:.0f} ms, {weight / 1024:.0f} KiB in {len(finished)} answers, {rows} alerts and {vehicles} vehicles "
              f"listed, layout shift {shift:.4f}, {len(problems)} console errors", flush=True)
        if run + 1 < options.runs or not options.feed:
            browser.call("Target.disposeBrowserContext", {"browserContextId": context})
    print(f"first view: median {sorted(times)[len(times) // 2]:.0f} ms, worst {max(times):.0f} ms")
    if options.feed:
        value(browser, session, "window.delays.length = 0")
        time.sleep(options.feed)
        delays = sorted(value(browser, session, "window.delays"))
        if not delays:
            print("feed: no alert came")
        else:
            at = lambda share: delays[min(len(delays) - 1, int(share * len(delays)))]
            print(f"feed: {len(delays)} messages, from receipt to the next frame p50 {at(0.5)} ms, p99 {at(0.99)} ms, worst {delays[-1]} ms")
    browser.process.kill()
    browser.process.wait()


main()
