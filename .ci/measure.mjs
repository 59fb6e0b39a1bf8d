// `npm run measure`: how large the project is and how its parts depend on each other. Tests and their helpers are left out.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { root } from './setup.mjs'

const TEST =
  /\.test(-helper)?\.tsx?$|\.(?:reading|language)\.ts$|\/expressions\.ts$|\/testing\/|[-/]testing\.ts$|\/fixtures\/|\.d\.ts$/
const IMPORT = /(?:^|\n)\s*(?:import|export)\b(?:[^'"`;]*?\bfrom\b)?\s*['"]([^'"]+)['"]/g
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

const tracked = execFileSync('git', ['ls-files', 'src', 'e2e', '.ci', 'vite.config.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /\.(tsx?|mjs)$/.test(name) && existsSync(path.join(root, name)))
const text = new Map(tracked.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]))
const sources = tracked.filter((name) => name.startsWith('src/') && !TEST.test(name))

/** Reads what a file imports of ours: statically (types included), and dynamically. */
function importsOf(name) {
  const source = text.get(name) ?? ''
  const find = (pattern) =>
    [...source.matchAll(pattern)]
      .map((match) => match[1] ?? '')
      .filter((target) => target.startsWith('.'))
      .map((target) => path.posix.join(path.posix.dirname(name), target.replace(/\?.*$/, '')))
      .filter((target) => sources.includes(target))
  return { fixed: find(IMPORT), dynamic: find(DYNAMIC) }
}
const imports = new Map(sources.map((name) => [name, importsOf(name)]))
const lines = (names) => names.reduce((sum, name) => sum + (text.get(name)?.split('\n').length ?? 1) - 1, 0)

/** All that is loaded when `names` are, without what is imported dynamically. */
function closureOf(names) {
  const seen = new Set(names)
  for (const name of seen) for (const target of imports.get(name)?.fixed ?? []) seen.add(target)
  return [...seen]
}

/** Groups that import each other in a circle (Tarjan's strongly connected components of more than one). */
function cyclesOf(nodes, targetsOf) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const visit = (node) => {
    index.set(node, index.size)
    low.set(node, index.get(node))
    stack.push(node)
    for (const target of targetsOf(node)) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(node, Math.min(low.get(node), low.get(target)))
    }
    if (low.get(node) !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) found.push(group)
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return found
}

/** The engine's top level: a folder is one room with the file that is its door, and so is a file that stands alone. */
function engineRooms() {
  const roomOf = (name) => /^src\/engine\/([^/.]+)/.exec(name)?.[1]
  const targets = new Map()
  for (const name of sources) {
    const from = roomOf(name)
    if (from === undefined) continue
    const found = targets.get(from) ?? new Set()
    const { fixed, dynamic } = imports.get(name)
    for (const to of [...fixed, ...dynamic].map(roomOf)) if (to !== undefined && to !== from) found.add(to)
    targets.set(from, found)
  }
  const cycles = cyclesOf([...targets.keys()], (room) => targets.get(room) ?? [])
  const groupOf = (room) => cycles.find((group) => group.includes(room)) ?? [room]
  const floor = (room, above = new Set()) => {
    const group = groupOf(room)
    const below = group.flatMap((member) => [...(targets.get(member) ?? [])]).filter((to) => !group.includes(to))
    return above.has(room) ? 0 : 1 + Math.max(0, ...below.map((to) => floor(to, new Set([...above, ...group]))))
  }
  return {
    rooms: targets.size,
    floors: Math.max(...[...targets.keys()].map((room) => floor(room))),
    cycles,
  }
}

/** The files whose text has `pattern`. */
const having = (pattern, names = sources) => names.filter((name) => pattern.test(text.get(name) ?? ''))
const defining = (pattern) =>
  sources.flatMap((name) => [...(text.get(name) ?? '').matchAll(pattern)].map((match) => `${match[1]} (${name})`))

function filesIn(folder, ending) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => name.endsWith(ending) && statSync(name).isFile())
}

const rows = []
const add = (what, value, wanted = '') => rows.push([what, String(value), wanted])
const list = []

add('source files', sources.length, '<= 700')
add('lines', lines(sources), '<= 72000')
const engineClosure = (...names) => closureOf(names.map((name) => `src/engine/${name}`))
const conversion = engineClosure(
  'convert/convert.ts',
  'formats/csv/reader.ts',
  'formats/parquet/writer.ts',
  'formats/parquet/reader.ts',
)
add('files of CSV to Parquet', conversion.length, '<= 85')
add('lines of CSV to Parquet', lines(conversion), '<= 10000')
// What looks at a file before anything is converted loads by itself.
const inspection = engineClosure('convert/inspect.ts', 'formats/csv/inspect.ts', 'formats/csv/pass.ts').filter(
  (name) => !conversion.includes(name),
)
add('files that inspect a CSV, beside those', inspection.length)
add('lines that inspect a CSV, beside those', lines(inspection))
const engine = engineRooms()
add('rooms of the engine', engine.rooms, '<= 12')
add('floors of the engine', engine.floors, '<= 7')
add('circles of the engine', engine.cycles.length, '0')
list.push(...engine.cycles.map((group) => `circle of rooms: ${group.join(', ')}`))
const cycles = cyclesOf(sources, (name) => imports.get(name)?.fixed ?? [])
add('import cycles, types included', cycles.length, '0')
list.push(...cycles.map((group) => `cycle: ${group.join(', ')}`))
const deep = sources.filter((name) => {
  const own = /^src\/features\/([^/]+)\//.exec(name)?.[1]
  const others = (imports.get(name)?.fixed ?? []).map((to) => /^src\/features\/([^/]+)\//.exec(to)?.[1])
  return own !== undefined && others.some((other) => other !== undefined && other !== own && other !== 'shared')
})
add('imports from feature to feature', deep.length, '0')
const workers = having(
  /new Worker\(new URL\(/,
  sources.filter((name) => name.startsWith('src/engine/') && !name.endsWith('vite-plugin.ts')),
)
add('worker scripts of the engine', workers.length, '1')
list.push(...workers.map((name) => `opens a worker: ${name}`))
const scripts = filesIn(path.join(root, 'dist'), '.js')
if (scripts.length > 0) {
  const bytes = scripts.reduce((sum, name) => sum + statSync(name).size, 0)
  add('JavaScript of the build, MB', (bytes / 1e6).toFixed(2), '<= 4.5')
  // The name of a method that DuckDB's glue code has once.
  const copies = scripts.filter((name) => readFileSync(name, 'utf8').includes('duckdb_web_fs_drop_files'))
  add("copies of DuckDB's glue", copies.length, '1')
}
const marks = [...text.values()].reduce((sum, source) => sum + (source.match(/prettier[-]ignore/g)?.length ?? 0), 0)
add('lines kept from the formatter', marks, '0')
const names = defining(/function (unique\w*)\(/gi)
add('makers of unique names', names.length, '1')
list.push(...names.map((name) => `unique names: ${name}`))
const stores = having(/new Set<\(\)?[^>]*=> (?:void|unknown)>/)
add('stores with listeners of their own', stores.length, '1')
list.push(...stores.map((name) => `listeners: ${name}`))
const components = tracked.filter((name) => name.endsWith('.test.tsx'))
add('component tests', components.length, '> 0')
const folders = new Map()
for (const name of sources) folders.set(path.posix.dirname(name), (folders.get(path.posix.dirname(name)) ?? 0) + 1)
const large = [...folders].filter(([, count]) => count > 25)
add('folders of more than 25 files', large.length, '0')
list.push(...large.map(([name, count]) => `${count} files: ${name}`))

const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)))
for (const [what, value, wanted] of rows) console.log(`${what.padEnd(first)}  ${value.padStart(second)}  ${wanted}`)
if (list.length > 0) console.log(`\n${list.join('\n')}`)
