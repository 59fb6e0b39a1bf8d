import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/* What our builds and tests make and is slow to make. Node only. */

const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache')

/**
 * A file or folder that is made once for all builds, servers and test runs, and again when its sources change.
 * @param name of it
 * @param sources all that it depends on: contents, versions, options
 * @param make makes it at a path where nothing is
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
  // Another process may be making it, too.
  const aside = `${place}.${randomUUID()}`
  await make(aside)
  try {
    await rename(aside, place)
  } catch (error) {
    // A folder takes no other one's place: that of the process that was first stays.
    await rm(aside, { recursive: true, force: true })
    if (!(await exists(place))) throw error
  }
  return place
}

/** As `cached`, of a file's bytes. */
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
