import type { Plugin } from 'vite'

const COOKIES = /[\\/]tough-cookie[\\/]dist[\\/]index\.js$/
const IMPORT = 'import { getDomain } from "tldts";'

/**
 * Leaves out the public suffix list, 300 kB of script: MSW's cookie jar asks it which domains may share a cookie. The
 * service here sets no cookies, so that the jar is empty; each host counts as a domain of its own.
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
