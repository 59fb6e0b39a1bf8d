// Before anything is painted. The rest of it is in src/ui/theme.ts.
try {
  const theme = localStorage.getItem('rowhouse-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be forbidden; the system's theme then does.
}

// The app's script, or one that it needs, can't be had: the network went before all of the app was kept.
addEventListener(
  'error',
  ({ target }) => {
    const root = document.querySelector('#root')
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module' || root?.hasChildNodes() !== false) return
    const message = document.createElement('p')
    message.setAttribute('role', 'alert')
    message.textContent = 'Rowhouse couldn’t be loaded. Connect to the network, then reload the page.'
    Object.assign(message.style, { margin: '20vh 16px', font: '16px/1.5 system-ui, sans-serif', textAlign: 'center' })
    root.append(message)
  },
  true,
)
