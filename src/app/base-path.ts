/**
 * The path of the app's folder for the router, without a slash at its end. The build doesn't know it, so it's derived
 * from the address of the app's script, which is always in `<base>/assets/`.
 */
export function basePath(scriptUrl: string, built: boolean): string {
  if (!built) return '/'
  return new URL('..', scriptUrl).pathname.replace(/\/$/, '') || '/'
}
