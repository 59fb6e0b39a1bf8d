// Runs before anything is painted or loaded: inlined into the page's head by plugin.ts, so plain script and no imports.
;(() => {
  try {
    const theme = localStorage.getItem('rowhouse-theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage can be forbidden; the system's theme then does.
  }
  // A host answered a deep address with the start page or its 404 page, whose relative links lead nowhere from there.
  const deep = /^(.*)\/((?:convert|datasets|sql|settings)\/(?!index\.html$).+)$/.exec(location.pathname)
  if (deep) location.replace(`${deep[1]}/?to=${encodeURIComponent(`/${deep[2]}${location.search}${location.hash}`)}`)
})()
