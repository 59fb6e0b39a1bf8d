/** What goes with a key for a command: `⌘` on a Mac, else `Ctrl `. */
export const MOD = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl '
