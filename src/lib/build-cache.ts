import { createHash } from 'node:crypto'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/* What our Vite plugins make and is slow to make. Node only. */

const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache')

/**
 * A file that is made once for all builds, servers and test runs, and again when its sources change.
 * @param name of the file
 * @param sources all that it depends on: contents, versions, options
 * @returns its path
 */
export async function cachedFile(
  name: string,
  sources: readonly (string | Uint8Array)[],
  make: () => Promise<Uint8Array>,
): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(`${source.length} `).update(source)
  const folder = path.join(CACHE, `rowhouse-${path.parse(name).name}`, hash.digest('hex').slice(0, 16))
  const file = path.join(folder, name)
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) return file
  await mkdir(folder, { recursive: true })
  // Another process may be making it, too.
  const partial = `${file}.${process.pid}`
  await writeFile(partial, await make())
  await rename(partial, file)
  return file
}
