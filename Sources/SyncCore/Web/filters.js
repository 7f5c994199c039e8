// What the live page shows, as it stands in the page's address: a view can be sent to others and kept as a bookmark.

import { element, make } from "/web/dom.js";
import { now } from "/web/viewer.js";

const names = ["fleet", "vehicle", "kind", "severity", "when", "from", "to", "late", "review"];
const spans = { "1h": 3600, "24h": 86400, "7d": 604800, "30d": 2592000 };

export class Filters {
  /** `changed` is called with the values when the viewer chose others. */
  constructor(changed) {
    this.changed = changed;
    const form = element("filters");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => this.take());
    element("clear-filters").addEventListener("click", () => {
      for (const name of names) element("filter-" + name).value = "";
      this.take();
    });
    const toggle = element("show-filters");
    toggle.addEventListener("click", () => toggle.setAttribute("aria-expanded", String(form.classList.toggle("open"))));
    addEventListener("popstate", () => {
      this.read();
      this.changed();
    });
    this.read();
  }

  /** From the address into the controls. */
  read() {
    const asked = new URLSearchParams(location.search);
    this.values = {};
    for (const name of names) {
      const control = element("filter-" + name);
      const value = asked.get(name) || "";
      if (name === "fleet" && value) this.offerFleets([value]);
      if (name === "from" || name === "to") {
        const at = new Date(value);
        control.value = value && !isNaN(at) ? localText(at) : "";
        this.values[name] = control.value ? at.toISOString() : "";
      } else {
        control.value = value;
        this.values[name] = control.value;
      }
    }
    this.show();
  }

  /** From the controls into the address. */
  take() {
    for (const name of names) {
      const value = element("filter-" + name).value.trim();
      this.values[name] = (name === "from" || name === "to") && value ? new Date(value).toISOString() : value;
    }
    if (this.values.when !== "custom") this.values.from = this.values.to = "";
    const address = new URLSearchParams(location.search);
    for (const name of names) {
      if (this.values[name]) address.set(name, this.values[name]);
      else address.delete(name);
    }
    const text = address.toString().replace(/%3A/g, ":").replace(/%2C/g, ",");
    history.pushState(null, "", location.pathname + (text ? "?" + text : ""));
    this.show();
    this.changed();
  }

  show() {
    element("custom-span").hidden = this.values.when !== "custom";
    const count = names.filter((name) => this.values[name] && name !== "from" && name !== "to").length;
    element("show-filters").textContent = count ? `Filters (${count})` : "Filters";
    element("clear-filters").disabled = count === 0;
    element("filters").classList.toggle("narrowed", count > 0);
  }

  get isNarrowed() {
    return names.some((name) => this.values[name]);
  }

  /** As the API takes them. */
  get parameters() {
    const { fleet, vehicle, kind, severity, late, review, when, from, to } = this.values;
    const valid = (name) => (/^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : name ? "-" : "");
    const since = spans[when] ? new Date(now() - spans[when] * 1000).toISOString() : when === "custom" ? from : "";
    return { fleet: valid(fleet), vehicle: valid(vehicle), kind, severity, late, review, since, until: when === "custom" ? to : "" };
  }

  /** Whether a vehicle belongs to the view. */
  includes(vehicle) {
    return (!this.values.fleet || vehicle.fleet === this.values.fleet) && (!this.values.vehicle || vehicle.vehicle === this.values.vehicle);
  }

  offerFleets(fleets) {
    const select = element("filter-fleet");
    const known = new Set([...select.options].map((option) => option.value));
    for (const fleet of fleets) {
      if (known.has(fleet)) continue;
      const option = make("option", "", fleet);
      option.value = fleet;
      select.append(option);
    }
  }

  offerVehicles(vehicles) {
    const list = element("vehicle-names");
    const wanted = vehicles.join("\n");
    if (list.dataset.names === wanted) return;
    list.dataset.names = wanted;
    list.replaceChildren(...vehicles.map((name) => Object.assign(document.createElement("option"), { value: name })));
  }
}

/** What an input of date and time takes. */
function localText(at) {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60000);
  return local.toISOString().slice(0, 16);
}
