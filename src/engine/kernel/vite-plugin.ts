import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import { cachedFile } from '../../lib/build-cache.ts'

const sources = path.resolve(import.meta.dirname, 'assembly')
const COMPILER = path.resolve(import.meta.dirname, '../../../node_modules/assemblyscript/package.json')
/** Virtual modules, and what each is compiled from. */
const ENTRIES = new Map([
  ['virtual:rowhouse-kernel', 'index.ts'],
  ['virtual:rowhouse-document-kernel', 'documents.ts'],
])

/** What a virtual module exports; see `virtual.d.ts`. */
const moduleOf = (wasm: Buffer): string =>
  `export const compile = () => new WebAssembly.Module(Uint8Array.from(atob('${wasm.toString('base64')}'), (char) => char.charCodeAt(0)))`

/** Provides the kernels, compiled from AssemblyScript to WebAssembly, as modules that have them in base64. */
export function kernel(): Plugin {
  return {
    name: 'rowhouse-kernel',
    resolveId: (id) => (ENTRIES.has(id) ? `\0${id}` : null),
    async load(id) {
      const entry = ENTRIES.get(id.slice(1))
      if (entry === undefined) return null
      const names = readdirSync(sources).sort()
      for (const name of names) this.addWatchFile(path.join(sources, name))
      return moduleOf(await cachedKernel(entry, names))
    },
  }
}

/** A compiled kernel from a cache, since compiling takes seconds. */
async function cachedKernel(entry: string, names: readonly string[]): Promise<Buffer> {
  const plugin = path.resolve(import.meta.dirname, 'vite-plugin.ts')
  const files = [COMPILER, plugin, ...names.map((name) => path.join(sources, name))]
  const contents = await Promise.all(files.map((file) => readFile(file)))
  const name = `kernel-${path.parse(entry).name}.wasm`
  return readFile(await cachedFile(name, [...names, ...contents], () => compileKernel(entry)))
}

/**
 * Compiles a kernel.
 * @throws {Error} with the compiler's messages if the source has errors
 */
export async function compileKernel(entry: string): Promise<Uint8Array> {
  const { main } = await import('assemblyscript/asc')
  const outFile = 'kernel.wasm'
  const written = new Map<string, string | Uint8Array>()
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--use', 'abort=']
  if (entry === 'documents.ts') options.push('--importMemory', '--noExportMemory')
  let complaints = ''
  const { error } = await main([entry, '--baseDir', sources, '--outFile', outFile, ...options], {
    writeFile: (name, contents) => void written.set(path.basename(name), contents),
    stderr: {
      write: (chunk) => void (complaints += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()),
    },
  })
  const binary = written.get(outFile)
  if (error || !(binary instanceof Uint8Array)) {
    throw new Error(`The kernel can't be compiled.\n${complaints}`, { cause: error })
  }
  return binary
}
