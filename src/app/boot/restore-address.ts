/**
 * The address that was asked for, where boot.js had to come to the start page first: `/app/?to=/convert/x` is
 * `/app/convert/x`. Null when there's nothing to put right. Anything but a path of this app is passed over.
 */
export function askedAddress(base: string, search: string): string | null {
  const to = new URLSearchParams(search).get('to')
  if (!to || !/^\/[a-z]/.test(to)) return null
  return `${base === '/' ? '' : base}${to}`
}
