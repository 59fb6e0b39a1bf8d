import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import { cachedFile } from '../../lib/build-cache.ts'

const sources = path.resolve(import.meta.dirname, 'assembly')
const COMPILER = path.resolve(import.meta.dirname, '../../../node_modules/assemblyscript/package.json')
const ID = 'virtual:rowhouse-kernel'
const RESOLVED = `\0${ID}`

/** Provides the kernel, compiled from AssemblyScript to WebAssembly, as a module that exports it in base64. */
export function kernel(): Plugin {
  return {
    name: 'rowhouse-kernel',
    resolveId: (id) => (id === ID ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null
      const names = readdirSync(sources).sort()
      for (const name of names) this.addWatchFile(path.join(sources, name))
      return `export default ${JSON.stringify((await cachedKernel(names)).toString('base64'))}`
    },
  }
}

/** The compiled kernel from a cache, since compiling takes seconds. */
async function cachedKernel(names: readonly string[]): Promise<Buffer> {
  const plugin = path.resolve(import.meta.dirname, 'vite-plugin.ts')
  const files = [COMPILER, plugin, ...names.map((name) => path.join(sources, name))]
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return readFile(await cachedFile('kernel.wasm', [...names, ...contents], () => compileKernel()))
}

/**
 * Compiles the kernel.
 * @throws {Error} with the compiler's messages if the source has errors
 */
export async function compileKernel(entry = 'index.ts'): Promise<Uint8Array> {
  const { main } = await import('assemblyscript/asc')
  const outFile = 'kernel.wasm'
  const written = new Map<string, string | Uint8Array>()
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--use', 'abort=']
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
