import { expect, test } from 'vitest'
import { withoutUnused } from './vite-plugin.ts'

const GLUE = `(exports, module) => {
  var make = (() => function (argument = {}) {
    var inner = () => 'inner', log = [];
    function called() { return inner() }
    called.sig = 'i';
    function addressed() { return other() }
    addressed.sig = 'ii';
    function other() { return 'only what is addressed uses it' }
    var unused = () => alsoUnused();
    unused.sig = 'v';
    function alsoUnused() { return unused() }
    var started = log.push('started'), heap = 1024;
    var wasmImports = { unused, addressed: addressed, called: called, alsoUnused: alsoUnused, heap: heap };
    argument.done = () => ({ log, wasmImports });
    return argument.done()
  })();
  module.exports = make
}`

const imports = (
  [
    ['env', 'called', 'function'],
    ['GOT.func', 'addressed', 'global'],
    ['GOT.mem', 'heap', 'global'],
  ] as const
).map(([module, name, kind]) => ({ module, name, kind }))

test('what isn’t imported goes, with all that only it uses', () => {
  const small = withoutUnused(GLUE, imports)
  for (const gone of ['alsoUnused()', 'only what is addressed', 'unused.sig']) expect(small).not.toContain(gone)

  const module = { exports: (): unknown => null }
  // oxlint-disable-next-line typescript/no-implied-eval -- the glue is text here, as it is where it's built
  ;(new Function(`return ${small}`)() as (exports: object, into: typeof module) => void)({}, module)
  const { log, wasmImports } = module.exports() as {
    readonly log: string[]
    readonly wasmImports: Record<string, (() => unknown) & { readonly sig: string }>
  }
  expect(log).toEqual(['started'])
  expect(Object.keys(wasmImports)).toEqual(['addressed', 'called', 'heap'])
  expect(wasmImports['called']?.()).toBe('inner')
  expect(wasmImports['addressed']?.sig).toBe('v')
  expect(wasmImports['heap']).toBe(1024)
})

test('glue that is built in another way fails the build', () => {
  for (const other of [
    '() => {}',
    '(exports, module) => { module.exports = function () { return 1 } }',
    GLUE.replace('wasmImports =', 'imports ='),
  ])
    expect(() => withoutUnused(other, imports)).toThrow('another way')
})
