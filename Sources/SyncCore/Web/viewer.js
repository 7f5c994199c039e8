// Who looks, as the server has it, and what time it is there.

import { element } from "/web/dom.js";
import { send } from "/web/server.js";

/** Differences below this are the time's way through the network. */
const sameMs = 2000;
let offsetMs = 0;

/** The server's time in ms, to the second: a viewer's clock may be wrong. Known once `viewer` is there. */
export const now = () => Date.now() + offsetMs;

async function look() {
  const response = await fetch("/api/v1/session", { credentials: "same-origin", cache: "no-store" });
  const aheadMs = Date.parse(response.headers.get("Date")) + 500 - Date.now();
  if (Math.abs(aheadMs) > sameMs) offsetMs = aheadMs;
  return response.ok ? response.json() : undefined;
}

/** A promise of `{ name, role, signIn }`; of nobody while the server does not say. It never fails: what the viewer may do, the server judges. */
export const viewer = look().catch(() => undefined);

const ranks = ["viewer", "reviewer", "admin"];
/** Whether `who` has at least the role `least`. */
export const may = (who, least) => !who || ranks.indexOf(who.role) >= ranks.indexOf(least);

viewer.then((who) => {
  if (!who || who.signIn === "none") return;
  element("who").hidden = false;
  element("who-name").textContent = `${who.name}, ${who.role}`;
  // Whom a proxy has signed in, it signs out.
  element("sign-out").hidden = who.signIn !== "token";
});
element("sign-out").addEventListener("click", async () => {
  await send("DELETE", "/api/v1/session").catch(() => undefined);
  location.reload();
});
