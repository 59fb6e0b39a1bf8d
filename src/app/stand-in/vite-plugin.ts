import type { Plugin } from 'vite'

const COOKIES = /[\\/]tough-cookie[\\/]dist[\\/]index\.js$/
const IMPORT = 'import { getDomain } from "tldts";'

/**
 * Leaves out the public suffix list, 300 kB of JavaScript: MSW's cookie jar uses it to decide which domains may share a
 * cookie. Our service sets no cookies, so it's enough to treat each host as a domain.
 */
export function noPublicSuffixes(): Plugin {
  return {
    name: 'rowhouse-no-public-suffixes',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: COOKIES },
      handler(code) {
        if (!code.includes(IMPORT) || code.split('getDomain').length !== 3)
          this.error('tough-cookie uses the public suffix list otherwise than was known')
        return { code: code.replace(IMPORT, 'const getDomain = (host) => host;'), map: null }
      },
    },
    resolveId: {
      filter: { id: /^tldts(?:-|$)/ },
      handler(_, importer) {
        this.error(`${importer ?? 'the build'} needs the public suffix list, which is to be left out`)
      },
    },
  }
}
