// Making elements. Text is always set as text: nothing that a vehicle or a person sent is ever read as HTML.

export const element = (id) => document.getElementById(id);

/** An element with a class and children; strings become text. */
export function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

/** An SVG element. */
export function drawn(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** A link. */
export function link(href, className, ...children) {
  const a = make("a", className, ...children);
  a.href = href;
  return a;
}

/** A moment that a machine can read, too. */
export function moment(iso, text, className) {
  const node = make("time", className, text);
  node.dateTime = iso;
  return node;
}

/** Name and value of a list of facts. */
export const fact = (name, ...value) => [make("dt", "", name), make("dd", "", ...value)];

/**
 * Runs one part of a page. What goes wrong in it is told in its place and nowhere else: the other parts go on.
 * Returns a function that runs the part again.
 */
export function part(node, run) {
  const fail = (error) => {
    if (error && error.name === "SignInNeeded") return;
    node.querySelector(":scope > .failed")?.remove();
    const again = make("button", "small", "Try again");
    again.type = "button";
    again.addEventListener("click", () => start());
    const box = make("div", "failed", "This part cannot be shown: " + (error && error.message ? error.message : error) + " ", again);
    box.setAttribute("role", "alert");
    node.prepend(box);
  };
  const start = async (...given) => {
    try {
      const result = await run(...given);
      node.querySelector(":scope > .failed")?.remove();
      return result;
    } catch (error) {
      fail(error);
      return undefined;
    }
  };
  return start;
}
