// Runs before the first paint, so that the page never flashes in the wrong colours.
try {
  const theme = JSON.parse(localStorage.getItem("fleet-view") || "{}").theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's colours.
}
