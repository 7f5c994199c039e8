// The server's event stream, kept open: the browser comes back by itself and misses nothing; where it gives up, this begins anew.

import { element } from "/web/dom.js";
import { query, isSignedOut } from "/web/server.js";

const againMs = 2000;
/** After so long out of sight a page reads everything anew. */
const longAwayMs = 600000;

export function connection(text, isLost = false) {
  const node = element("connection");
  if (node.textContent !== text) node.textContent = text;
  node.className = isLost ? "lost" : "";
}

export class Stream {
  /** `handlers`: `alert(alert)`, `review(review)`, `back()` after an interruption; `isBusy()` says whether the viewer should not be disturbed by it. */
  constructor(handlers) {
    this.handlers = handlers;
    // A browser keeps six connections to a server at most: pages that nobody sees must not hold them, or the seventh is never shown.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.leave() : this.comeBack()));
  }

  leave() {
    this.leftAt = Date.now();
    this.close();
  }

  comeBack() {
    if (this.filters === undefined || isSignedOut()) return;
    const isLong = Date.now() - this.leftAt > longAwayMs;
    this.open(this.cursor, this.filters);
    this.wasLost = isLong || !this.handlers.isBusy?.();
  }

  /** Listens from `cursor` on to what `filters` let through. */
  open(cursor, filters) {
    this.close();
    this.filters = filters;
    this.cursor = cursor;
    this.wasLost = false;
    // Opened when somebody looks again.
    if (document.hidden) return;
    const source = new EventSource("/api/v1/stream" + query({ ...filters, cursor }));
    this.source = source;
    source.onopen = () => {
      connection("Connected");
      if (this.wasLost) this.handlers.back?.();
      this.wasLost = false;
    };
    source.onerror = () => {
      if (isSignedOut()) return this.close();
      this.wasLost = true;
      connection("Connection lost: what is shown may be old. Trying again …", true);
      // The browser tries again by itself unless the answer was no stream.
      if (source.readyState === EventSource.CLOSED) {
        this.timer = setTimeout(() => {
          this.open(this.cursor, this.filters);
          this.wasLost = true;
        }, againMs);
      }
    };
    source.addEventListener("alert", (event) => {
      const alert = JSON.parse(event.data);
      this.cursor = Math.max(this.cursor, alert.cursor);
      this.handlers.alert?.(alert);
    });
    source.addEventListener("review", (event) => this.handlers.review?.(JSON.parse(event.data)));
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
  }
}
