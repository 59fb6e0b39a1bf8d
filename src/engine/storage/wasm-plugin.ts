import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { cachedFile } from '../../lib/build-cache.ts'

const NAME = 'duckdb-eh.wasm'
const GLUE = ['duckdb-browser-blocking.mjs', 'duckdb-node-blocking.cjs']
/** Names what we call ourselves. */
const C_API = path.resolve(import.meta.dirname, '../sql/functions/c-api.ts')
/** Bytes of WebAssembly's header, and the number of the section that names exports. */
const HEADER = 8
const EXPORTS = 7

let making: Promise<string> | null = null

/**
 * DuckDB’s WebAssembly without the exports that only extensions link with, which can’t be loaded here: of 75,000, each
 * of which its glue handles whenever a database opens, some hundreds stay. Opening takes a fifth of the time, and a
 * fifth of the file is gone.
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

/** @returns where it is */
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
 * All names that the glue may ask for: each word in it, as it stands and without the underscore that Emscripten puts
 * before names, and what is imported, which may be of its own exports.
 */
export function namesIn(glue: string, imports: readonly { readonly name: string }[]): ReadonlySet<string> {
  const words = glue.match(/[A-Za-z_$][\w$]*/g) ?? []
  return new Set([...words.flatMap((word) => [word, word.replace(/^_/, '')]), ...imports.map(({ name }) => name)])
}

/**
 * A WebAssembly module with those of its exports alone that have one of the names.
 * @throws Error when it ends in the middle of a section
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
    // A byte that says of what kind it is, and its index.
    ;[, at] = numberAt(section, name + length + 1)
    if (names.has(section.toString('utf8', name, name + length))) kept.push(section.subarray(begin, at))
  }
  const body = Buffer.concat([numberOf(kept.length), ...kept])
  return Buffer.concat([Buffer.of(EXPORTS), numberOf(body.length), body])
}

/** @returns a number in WebAssembly’s notation (LEB128), and where it ends */
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
