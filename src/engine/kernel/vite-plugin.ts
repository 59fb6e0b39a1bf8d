import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const sources = fileURLToPath(new URL('./assembly/', import.meta.url))
const ID = 'virtual:rowhouse-kernel'
const RESOLVED = `\0${ID}`

/** Offers the kernel, compiled from AssemblyScript to WebAssembly, as a module whose default export is it in base64. */
export function kernel(): Plugin {
  return {
    name: 'rowhouse-kernel',
    resolveId: (id) => (id === ID ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null
      for (const name of readdirSync(sources)) this.addWatchFile(path.join(sources, name))
      return `export default ${JSON.stringify(Buffer.from(await compileKernel()).toString('base64'))}`
    },
  }
}

/**
 * Compiles the kernel.
 * @throws {Error} with the compiler's words about what is wrong in the sources
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
