// What the viewer chose: unit of speeds, zone of times, colours. Kept in this browser, said in the head of every page.

import { element } from "/web/dom.js";

const key = "fleet-view";
const usesMiles = /^en-(US|GB|LR|MM)$/i.test(navigator.language || "");
const choices = { unit: usesMiles ? "mph" : "km/h", zone: "local", theme: "auto", name: "" };
try {
  Object.assign(choices, JSON.parse(localStorage.getItem(key) || "{}"));
} catch {
  // No storage, or something else in it: what is usual here.
}

export const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone || "local";
export const preferences = choices;

export function choose(name, value) {
  choices[name] = value;
  try {
    localStorage.setItem(key, JSON.stringify(choices));
  } catch {
    // Then it holds until the page is left.
  }
}

/** Fills the controls in the page's head; `changed` draws the page anew. */
export function offerPreferences(changed) {
  const zoneName = () => (choices.zone === "utc" ? "UTC" : localZone + " time");
  const say = () => (element("chosen").textContent = `${choices.unit} · ${zoneName()}`);
  for (const name of ["unit", "zone", "theme"]) {
    const select = element(name);
    if (name === "zone") select.options[0].textContent = localZone + " (this computer)";
    select.value = choices[name];
    select.addEventListener("change", () => {
      choose(name, select.value);
      if (name === "theme") {
        if (choices.theme === "auto") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = choices.theme;
      }
      say();
      changed();
    });
  }
  say();
}
