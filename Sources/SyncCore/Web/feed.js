// The list of alerts. An alert keeps its place while it changes; new ones come on top, unless the viewer is reading further down.

import { element, make, link, moment } from "/web/dom.js";
import { get, query } from "/web/server.js";
import * as words from "/web/words.js";
import * as format from "/web/format.js";

const firstPage = 50;
const nextPage = 100;
const mostRows = 1000;

const key = (alert) => `${alert.fleet}/${alert.vehicle}/${alert.id}`;

export class Feed {
  /** `changed` is called with all shown alerts after every change. */
  constructor(clock, changed) {
    this.clock = clock;
    this.changed = changed;
    this.rows = new Map(); // key → { alert, row, age }
    this.waiting = []; // keys that came while the viewer was reading
    this.list = element("alert-rows");
    this.box = element("feed");
    this.isGliding = false;
    this.loads = 0;
    for (const sign of ["wheel", "touchmove", "keydown", "pointerdown"]) this.box.addEventListener(sign, () => (this.isGliding = false), { passive: true });
    element("more").addEventListener("click", () => this.loadOlder());
    element("show-new").addEventListener("click", () => {
      this.box.scrollTop = 0;
      this.showWaiting();
    });
    this.box.addEventListener("scroll", () => {
      if (this.box.scrollTop >= 4) return;
      this.isGliding = false;
      this.showWaiting();
    }, { passive: true });
    setInterval(() => this.tick(), 10000);
  }

  /** Reads the list anew and returns the cursor from which its changes follow; nothing when another list was asked for meanwhile. */
  async load(filters) {
    this.filters = filters;
    const number = ++this.loads;
    const page = await get("/api/v1/alerts" + query({ ...filters, limit: firstPage }));
    if (number !== this.loads) return undefined;
    this.rows.clear();
    this.waiting = [];
    for (const alert of page.alerts) this.rows.set(key(alert), this.made(alert));
    this.list.replaceChildren(...[...this.rows.values()].map(({ row }) => row));
    this.before = page.nextBefore;
    this.settle();
    return page.nextCursor;
  }

  async loadOlder() {
    const button = element("more");
    const number = this.loads;
    button.disabled = true;
    element("feed-note").textContent = "";
    try {
      const page = await get("/api/v1/alerts" + query({ ...this.filters, limit: nextPage, before: this.before }));
      // The list is another one by now.
      if (number !== this.loads) return;
      for (const alert of page.alerts) {
        if (this.rows.has(key(alert))) continue;
        const made = this.made(alert);
        this.rows.set(key(alert), made);
        this.list.append(made.row);
      }
      this.before = page.nextBefore;
    } catch (error) {
      element("feed-note").textContent = "Older alerts cannot be read: " + error.message;
    } finally {
      button.disabled = false;
    }
    this.settle();
  }

  /** An alert from the stream. */
  take(alert) {
    const known = this.rows.get(key(alert));
    if (known && known.alert.revision > alert.revision) return;
    const made = this.made(alert);
    if (known) {
      known.row.replaceWith(made.row);
      this.rows.set(key(alert), made);
      if (alert.severity !== known.alert.severity) this.announce(alert);
    } else {
      // What happened long ago must not look like news.
      if (!alert.late) made.row.classList.add("fresh");
      this.rows.set(key(alert), made);
      if (this.isBeingRead) this.waiting.push(key(alert));
      else this.putOnTop(made.row);
      this.announce(alert);
    }
    this.settle();
  }

  /** What somebody said of an alert. */
  review(review) {
    const known = this.rows.get(key(review));
    if (!known) return;
    known.alert.review = review.state;
    const made = this.made(known.alert);
    known.row.replaceWith(made.row);
    this.rows.set(key(review), made);
  }

  get isBeingRead() {
    return (this.box.scrollTop >= 4 && !this.isGliding) || this.list.contains(document.activeElement);
  }

  /** The list glides down under the new row: nothing jumps from where the viewer looks. */
  putOnTop(row) {
    const before = this.box.scrollTop;
    this.list.prepend(row);
    this.box.scrollTop = before + row.offsetHeight;
    this.isGliding = this.box.scrollTop >= 4;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    requestAnimationFrame(() => {
      if (this.isGliding) this.box.scrollTo({ top: 0, behavior: isCalm ? "instant" : "smooth" });
    });
  }

  showWaiting() {
    if (this.waiting.length === 0) return;
    for (const name of this.waiting) this.list.prepend(this.rows.get(name).row);
    this.waiting = [];
    this.settle();
  }

  settle() {
    while (this.rows.size > mostRows && this.list.lastElementChild) {
      this.rows.delete(this.list.lastElementChild.dataset.key);
      this.list.lastElementChild.remove();
    }
    element("no-alerts").hidden = this.rows.size !== 0;
    element("no-alerts").textContent = Object.values(this.filters || {}).some(Boolean) ? "No alert fits the filters." : "No alerts yet.";
    element("more").hidden = !this.before;
    const news = element("show-new");
    news.hidden = this.waiting.length === 0;
    news.textContent = this.waiting.length === 1 ? "Show 1 new alert" : `Show ${this.waiting.length} new alerts`;
    this.changed([...this.rows.values()].map(({ alert }) => alert));
  }

  /** Said by a screen reader: what is bad and new. */
  announce(alert) {
    if (alert.late || (alert.severity !== "critical" && alert.severity !== "warning")) return;
    element("announcement").textContent = `${alert.severity}: ${alert.vehicle}: ${words.what(alert)}`;
  }

  made(alert) {
    const age = make("span", "ago", format.ago(alert.startedAt, this.clock()));
    const tags = [words.state(alert)];
    if (alert.late) tags.push("arrived late");
    if (alert.origin === "replay") tags.push("replay");
    if (alert.review !== "new") tags.push(words.review(alert.review));
    const a = link("/alerts/" + encodeURIComponent(alert.id), "alert",
      make("span", "line", make("span", "severity " + alert.severity, alert.severity), make("strong", "", alert.vehicle),
        make("span", "fleet", alert.fleet), moment(alert.startedAt, format.clock(alert.startedAt)), age),
      make("span", "what", words.what(alert)),
      make("span", "soft", tags.join(" · ")));
    const row = make("li", "", a);
    row.dataset.key = key(alert);
    row.dataset.id = alert.id;
    return { alert, row, age };
  }

  /** Every row in the words and units of now. */
  redraw() {
    for (const [name, { alert, row }] of this.rows) {
      const made = this.made(alert);
      row.replaceWith(made.row);
      this.rows.set(name, made);
    }
  }

  tick() {
    for (const { alert, age } of this.rows.values()) {
      const text = format.ago(alert.startedAt, this.clock());
      if (age.textContent !== text) age.textContent = text;
    }
  }
}
