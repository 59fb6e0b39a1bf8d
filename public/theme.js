// Before anything is painted. The rest of it is in src/ui/theme.ts.
try {
  const theme = localStorage.getItem('rowhouse-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be forbidden; the system's theme then does.
}
