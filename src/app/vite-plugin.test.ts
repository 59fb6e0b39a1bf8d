import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { noUnusedParts } from './vite-plugin.ts'

const ENTRY = 'virtual:entry'

/** Builds a script, and returns the packages whose modules are in it. */
async function packagesIn(code: string): Promise<ReadonlySet<string>> {
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === ENTRY ? id : null),
    load: (id: string) => (id === ENTRY ? code : null),
  }
  const found = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [noUnusedParts(), entry],
    build: {
      write: false,
      rolldownOptions: { input: ENTRY, external: /^react(-dom)?($|\/)/, preserveEntrySignatures: 'strict' },
    },
  })
  const chunks = (found as Rolldown.RolldownOutput).output.filter((each) => each.type === 'chunk')
  const ids = chunks.flatMap(({ modules }) => Object.keys(modules))
  return new Set(ids.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []))
}

test('MSW is built without a cookie jar', async () => {
  const found = await packagesIn(`export { setupWorker } from 'msw/browser'; export { http } from 'msw/http'`)
  expect(found).toContain('msw')
  expect([...found].filter((name) => /^t(?:ough-cookie|ldts)/.test(name))).toEqual([])
})

test('cmdk is built without its dialog', async () => {
  const found = await packagesIn(`export { CommandRoot, CommandInput, CommandList, CommandItem } from 'cmdk'`)
  expect(found).toContain('cmdk')
  expect(found).not.toContain('@radix-ui/react-dialog')
})

test('the build fails if something uses that dialog', async () => {
  await expect(packagesIn(`export { CommandDialog } from 'cmdk'`)).rejects.toThrow('has cmdk’s dialog in it')
})
