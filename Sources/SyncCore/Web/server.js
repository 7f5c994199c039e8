// Asking the server. A page whose session is over shows the sign-in form instead of its parts.

import { element } from "/web/dom.js";

export class SignInNeeded extends Error {
  name = "SignInNeeded";
}

/** The answer to a request; refusals are errors with the server's own words. */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new Error("the server does not answer");
  }
  if (response.status === 401) {
    askForToken();
    throw new SignInNeeded("sign in first");
  }
  if (response.ok) return response;
  let detail = "the server answers with an error (" + response.status + ")";
  try {
    detail = (await response.json()).detail || detail;
  } catch {
    // Not the server's own words.
  }
  const error = new Error(detail);
  error.status = response.status;
  throw error;
}

const json = async (path, options) => {
  const response = await ask(path, options);
  return response.status === 204 ? null : response.json();
};
export const get = (path) => json(path, { headers: { Accept: "application/json" } });
export const send = (method, path, body) =>
  json(path, { method, headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });

/** What is in `values`, as a query; empty values are left out. */
export function query(values) {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== "" && value !== undefined && value !== null) pairs.set(name, value);
  const text = pairs.toString();
  return text ? "?" + text : "";
}

let isAsking = false;
export const isSignedOut = () => isAsking;

function askForToken() {
  if (isAsking) return;
  isAsking = true;
  element("sign-in").hidden = false;
  element("main").hidden = true;
  element("connection").textContent = "Signed out";
  element("token").focus();
}

element("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = element("token").value;
  element("token").value = "";
  try {
    const response = await fetch("/api/v1/session", {
      method: "POST", headers: { "Content-Type": "application/json" }, credentials: "same-origin", body: JSON.stringify({ token }),
    });
    if (response.ok) location.reload();
    else element("sign-in-error").textContent = response.status === 429 ? "Too many wrong tokens; wait a little." : "This is not a token of this server.";
  } catch {
    element("sign-in-error").textContent = "The server does not answer.";
  }
});
