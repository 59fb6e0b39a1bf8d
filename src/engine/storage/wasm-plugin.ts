import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { cachedFile } from '../../lib/build-cache.ts'

const NAME = 'duckdb-eh.wasm'
const GLUE = ['duckdb-browser-blocking.mjs', 'duckdb-node-blocking.cjs']
/** Has the names of functions that we call ourselves. */
const C_API = path.resolve(import.meta.dirname, '../sql/functions/c-api.ts')
/** Size of WebAssembly's header, and the id of the export section. */
const HEADER = 8
const EXPORTS = 7

let making: Promise<string> | null = null

/**
 * Removes exports from DuckDB’s WebAssembly that only extensions need, which can’t be loaded here. Of 75,000, each of
 * which the glue processes whenever a database opens, some hundreds remain. Opening then takes a fifth of the time, and
 * the file is smaller by a fifth.
 */
export function duckdbWasm(): Plugin {
  return {
    name: 'rowhouse-duckdb-wasm',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^@duckdb\/duckdb-wasm\/dist\/duckdb-eh\.wasm\?url$/ },
      async handler() {
        making ??= makeSmall()
        return `${await making}?url`
      },
    },
  }
}

/** @returns the path of the smaller file */
async function makeSmall(): Promise<string> {
  const dist = path.dirname(createRequire(import.meta.url).resolve('@duckdb/duckdb-wasm'))
  const wasm = await readFile(path.join(dist, NAME))
  const callers = [...GLUE.map((file) => path.join(dist, file)), C_API]
  const glue = (await Promise.all(callers.map((file) => readFile(file, 'utf8')))).join('\n')
  const plugin = await readFile(path.resolve(import.meta.dirname, 'wasm-plugin.ts'))
  return cachedFile(NAME, [wasm, glue, plugin], async () => {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(wasm))
    return withExports(wasm, namesIn(glue, imports))
  })
}

/**
 * All names that the glue may use: each of its words, with and without Emscripten's leading underscore, and all
 * imports, which the module may export itself.
 */
export function namesIn(glue: string, imports: readonly { readonly name: string }[]): ReadonlySet<string> {
  const words = glue.match(/[A-Za-z_$][\w$]*/g) ?? []
  return new Set([...words.flatMap((word) => [word, word.replace(/^_/, '')]), ...imports.map(({ name }) => name)])
}

/**
 * Keeps only those of a WebAssembly module's exports that have one of the names.
 * @throws Error if it ends inside a section
 */
export function withExports(wasm: Buffer, names: ReadonlySet<string>): Buffer {
  const parts = [wasm.subarray(0, HEADER)]
  for (let at = HEADER; at < wasm.length;) {
    const begin = at
    const [size, body] = numberAt(wasm, at + 1)
    at = body + size
    if (at > wasm.length) throw new Error('the WebAssembly ends in the middle of a section')
    parts.push(wasm[begin] === EXPORTS ? exportsOf(wasm.subarray(body, at), names) : wasm.subarray(begin, at))
  }
  return Buffer.concat(parts)
}

function exportsOf(section: Buffer, names: ReadonlySet<string>): Buffer {
  const kept: Buffer[] = []
  let [, at] = numberAt(section, 0)
  while (at < section.length) {
    const begin = at
    const [length, name] = numberAt(section, at)
    // The name is followed by a byte for the kind, and the index.
    ;[, at] = numberAt(section, name + length + 1)
    if (names.has(section.toString('utf8', name, name + length))) kept.push(section.subarray(begin, at))
  }
  const body = Buffer.concat([numberOf(kept.length), ...kept])
  return Buffer.concat([Buffer.of(EXPORTS), numberOf(body.length), body])
}

/** @returns a number in WebAssembly’s encoding (LEB128), and its end */
function numberAt(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes.readUInt8(at++)
    value += (byte & 127) * factor
    if (byte < 128) return [value, at]
  }
}

function numberOf(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
  return Buffer.of(...bytes, value)
}
