/**
 * Where the app is served from, as the router wants it: without a slash at its end. A build doesn't know: it's told by
 * the address of its own script, which is always in `<base>/assets/`.
 */
export function basePath(scriptUrl: string, built: boolean): string {
  if (!built) return '/'
  return new URL('..', scriptUrl).pathname.replace(/\/$/, '') || '/'
}
