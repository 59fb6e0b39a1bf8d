import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseSync, Visitor, type ESTree, type Plugin } from 'vite'

const BINDINGS = /duckdb-browser-blocking\.mjs$/

/** The glue of one WebAssembly build, as the package's bundler wraps it. */
const GLUE = /\(exports,module\)=>\{"use strict";var DuckDB=[^]*?define\(\[\],\(\)=>DuckDB\)\}/g

/** Replaces functions of OpenGL and OpenAL of which DuckDB only needs the address. */
const UNUSED = 'unusedImport'

/**
 * Removes the parts of DuckDB's glue that the app never runs, three quarters of its script: the build for browsers
 * without WebAssembly exceptions, which `open-database.ts` never opens, and parts of Emscripten's library (OpenGL,
 * OpenAL, SDL) that the other build's WebAssembly doesn't import.
 */
export function duckdbGlue(): Plugin {
  return {
    name: 'rowhouse-duckdb-glue',
    apply: 'build',
    transform: {
      filter: { id: BINDINGS },
      async handler(code, id) {
        const [mvp, eh, ...others] = code.match(GLUE) ?? []
        if (mvp === undefined || eh === undefined || others.length > 0)
          this.error('DuckDB’s package has other builds in it than the two that are known')
        const file = path.join(path.dirname(id), 'duckdb-eh.wasm')
        const imports = WebAssembly.Module.imports(await WebAssembly.compile(await readFile(file)))
        const small = withoutUnused(eh, imports)
        return { code: code.replace(mvp, () => '()=>{}').replace(eh, () => small), map: null }
      },
    },
  }
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A declaration in the glue's outermost function, including assignments to its properties: `name.sig = ...`. */
interface Declaration extends Edit {
  readonly name: string
}

/**
 * Removes functions from Emscripten's glue that nothing imports, and what only these use.
 * @param glue an expression: a function of `exports` and `module`
 * @param imports of its WebAssembly
 * @throws Error if the glue has another structure than expected
 */
export function withoutUnused(glue: string, imports: readonly WebAssembly.ModuleImportDescriptor[]): string {
  const source = `(${glue})`
  const { program, errors } = parseSync('glue.js', source)
  const functions: ESTree.Function[] = []
  const objects: ESTree.VariableDeclarator[] = []
  const identifiers: { readonly name: string; readonly start: number }[] = []
  new Visitor({
    FunctionExpression: (node) => void functions.push(node),
    VariableDeclarator: (node) =>
      void (node.id.type === 'Identifier' && node.id.name === 'wasmImports' && objects.push(node)),
    Identifier: (node) => void identifiers.push(node),
  }).visit(program)
  const [factory] = functions
  const table = objects[0]?.init
  if (errors.length > 0 || !factory?.body || table?.type !== 'ObjectExpression' || objects.length > 1)
    throw new Error('DuckDB’s glue is built in another way than the one that is known')

  const importEdits = unusedImports(table, imports)
  const declarations = declarationsOf(factory.body.body)
  const used = usedNames(
    declarations,
    identifiers.filter(({ start }) => !importEdits.some((edit) => start >= edit.start && start < edit.end)),
  )
  const edits = [
    ...importEdits,
    ...declarations.filter(({ name }) => !used.has(name)),
    { start: factory.body.start + 1, end: factory.body.start + 1, text: `function ${UNUSED}(){}${UNUSED}.sig="v";` },
  ]
  return apply(source, edits).slice(1, -1)
}

/**
 * Edits the table of imports: removes what isn't imported, and replaces functions of which only the address is needed.
 */
function unusedImports(table: ESTree.ObjectExpression, imports: readonly WebAssembly.ModuleImportDescriptor[]): Edit[] {
  const named = (functionPointers: boolean) =>
    new Set(imports.filter(({ module }) => (module === 'GOT.func') === functionPointers).map(({ name }) => name))
  const [called, addressed] = [named(false), named(true)]
  return table.properties.flatMap((property, at): Edit[] => {
    const name = property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : ''
    if (name === '' || called.has(name)) return []
    const { start } = property
    if (addressed.has(name)) return [{ start, end: property.end, text: `${name}:${UNUSED}` }]
    // Including the comma after it.
    return [{ start, end: table.properties[at + 1]?.start ?? property.end, text: '' }]
  })
}

/** Declarations that can be removed if their names aren't used, since they have no side effects. */
function declarationsOf(statements: readonly ESTree.Node[]): Declaration[] {
  return statements.flatMap((statement): Declaration[] => {
    const { start, end } = statement
    if (statement.type === 'FunctionDeclaration') return [{ name: statement.id?.name ?? '', start, end, text: '' }]
    if (statement.type === 'VariableDeclaration')
      return statement.declarations.flatMap(({ id, init, ...place }) =>
        id.type === 'Identifier' && isPure(init)
          ? [{ name: id.name, start: place.start, end: place.end, text: id.name }]
          : [],
      )
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return []
    const { left } = statement.expression
    if (left.type !== 'MemberExpression' || left.object.type !== 'Identifier' || left.property.type !== 'Identifier')
      return []
    return ['sig', 'stub'].includes(left.property.name) ? [{ name: left.object.name, start, end, text: '' }] : []
  })
}

function isPure(node: ESTree.Node | null): boolean {
  if (node === null) return true
  if (node.type === 'ObjectExpression')
    return node.properties.every(
      (property) => property.type === 'Property' && !property.computed && isPure(property.value),
    )
  return ['FunctionExpression', 'ArrowFunctionExpression', 'Literal', 'Identifier'].includes(node.type)
}

/**
 * Names used by the remaining code, directly or through other declarations. Property names count as well, to be safe.
 */
function usedNames(
  declarations: readonly Declaration[],
  identifiers: readonly { readonly name: string; readonly start: number }[],
): Set<string> {
  const declared = new Set(declarations.map(({ name }) => name))
  const ordered = declarations.toSorted((a, b) => a.start - b.start)
  const uses = new Map<string, string[]>()
  const pending: string[] = []
  let at = 0
  for (const { name, start } of identifiers.toSorted((a, b) => a.start - b.start)) {
    while ((ordered[at]?.end ?? Infinity) <= start) at++
    const user = ordered[at]
    if (!declared.has(name)) continue
    if (user && user.start <= start) uses.set(user.name, [...(uses.get(user.name) ?? []), name])
    else pending.push(name)
  }
  const used = new Set<string>()
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (used.has(name)) continue
    used.add(name)
    pending.push(...(uses.get(name) ?? []))
  }
  return used
}

function apply(source: string, edits: readonly Edit[]): string {
  let end = 0
  const kept = edits
    .toSorted((a, b) => a.start - b.start)
    .map((edit) => {
      const before = source.slice(end, edit.start)
      end = edit.end
      return before + edit.text
    })
  return kept.join('') + source.slice(end)
}
