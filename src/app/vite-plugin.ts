import type { Plugin } from 'vite'

const COOKIE_JAR = '\0rowhouse-no-cookies'
const CMDK = /[\\/]cmdk[\\/]dist[\\/]index\.mjs$/

/** Leaves out what the app's dependencies bring along and the app never runs, a tenth of a megabyte of JavaScript. */
export const noUnusedParts = (): Plugin[] => [noCookieJar(), noSecondDialog()]

/** MSW's cookie jar comes with a list of all public suffixes. Our service sets no cookies: an empty jar does. */
function noCookieJar(): Plugin {
  return {
    name: 'rowhouse-no-cookie-jar',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: /^tough-cookie$/ }, handler: () => COOKIE_JAR },
    load: {
      filter: { id: new RegExp(`^${COOKIE_JAR}$`) },
      handler: () =>
        `export class Cookie {}
        export class MemoryCookieStore {}
        export class CookieJar {
          getCookiesSync() { return [] }
          async setCookie() {}
        }`,
    },
  }
}

/**
 * cmdk's list of commands stands in a dialog of ours. Its own dialog is another library, which stays in the build
 * unless the bundler knows that making its components has no effects.
 */
function noSecondDialog(): Plugin {
  return {
    name: 'rowhouse-no-second-dialog',
    apply: 'build',
    transform: {
      filter: { id: CMDK },
      handler: (code) => ({
        code: code.replaceAll(/=(?=(?:Object\.assign|\w+\.forwardRef)\()/g, '=/*#__PURE__*/'),
        map: null,
      }),
    },
    generateBundle(_, bundle) {
      const chunk = Object.values(bundle).find(
        (each) =>
          each.type === 'chunk' && Object.keys(each.modules).some((id) => id.includes('@radix-ui/react-dialog')),
      )
      if (chunk) this.error(`${chunk.fileName} has cmdk’s dialog in it, which is to be left out`)
    },
  }
}
