// Before the first paint: the theme that was chosen. A file of its own, since the page allows no inline script.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem('cruel.settings')).theme
} catch {
  // none was chosen: the system's
}
