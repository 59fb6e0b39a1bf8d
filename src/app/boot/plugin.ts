import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Puts boot.js into the built pages. It has to stand before the content security policy, which forbids inline scripts
 * that come behind it: list this plugin after the one that adds the policy.
 */
export function bootScript(): Plugin {
  return {
    name: 'rowhouse-boot-script',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        {
          tag: 'script',
          children: readFileSync(new URL('boot.js', import.meta.url), 'utf8'),
          injectTo: 'head-prepend',
        },
      ],
    },
  }
}
