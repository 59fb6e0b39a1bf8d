import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/* Keeps what is slow to create for builds and tests. Node only. */

const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache')

/**
 * A file or folder that is created once for all builds, servers and test runs, and again when its sources change.
 * @param name of it
 * @param sources everything that it depends on: contents, versions, options
 * @param make creates it at a path that doesn't exist yet
 * @returns its path
 */
export async function cached(
  name: string,
  sources: readonly (string | Uint8Array)[],
  make: (place: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(`${source.length} `).update(source)
  const folder = path.join(CACHE, `rowhouse-${path.parse(name).name}`, hash.digest('hex').slice(0, 16))
  const place = path.join(folder, name)
  if (await exists(place)) return place
  await mkdir(folder, { recursive: true })
  // In a folder of its own at first, since another process may be creating it, too.
  const aside = `${place}.${randomUUID()}`
  await make(aside)
  try {
    await rename(aside, place)
  } catch (error) {
    // A folder isn't replaced: if another process was first, its result is used.
    await rm(aside, { recursive: true, force: true })
    if (!(await exists(place))) throw error
  }
  return place
}

/** Like `cached`, for a file's bytes. */
export function cachedFile(
  name: string,
  sources: readonly (string | Uint8Array)[],
  make: () => Promise<Uint8Array>,
): Promise<string> {
  return cached(name, sources, async (place) => writeFile(place, await make()))
}

function exists(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  )
}
