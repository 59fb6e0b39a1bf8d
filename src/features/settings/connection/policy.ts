/**
 * Whether this page may talk to an origin. The page's policy names whom it may talk to; a page that was loaded past the
 * service worker (a hard reload) has the one of the build, which names its own origin alone.
 */
export function policyAllows(origin: string, page: ParentNode & { readonly baseURI: string } = document): boolean {
  const meta = page.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')
  const sources = /connect-src ([^;]*)/
    .exec(meta?.content ?? '')?.[1]
    ?.trim()
    .split(/\s+/)
  return sources === undefined || origin === new URL(page.baseURI).origin || sources.includes(origin)
}
