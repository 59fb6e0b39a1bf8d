import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

/*
 * Folders of the embedded database as it is when it has just been made. To make one takes five seconds of the processor, to
 * copy it and open the copy takes less than one: so one is made, by the first test that asks, and kept for later runs.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url))
let made: Promise<string> | null = null

/** Where the one that is copied is: one for each version of the library. */
async function original(): Promise<string> {
  const file = path.join(
    path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
    '../package.json',
  )
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  const caches = path.join(root, 'node_modules', '.cache')
  const place = path.join(caches, `rowhouse-pglite-${version}`)
  if (existsSync(place)) return place
  mkdirSync(caches, { recursive: true })
  // Made aside: what has the name is whole, and another process may make one at the same time.
  const aside = mkdtempSync(`${place}-`)
  await (await PGlite.create({ dataDir: aside })).close()
  try {
    renameSync(aside, place)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
  return place
}

/**
 * Makes the embedded database's folder.
 * @param folder which isn't there yet; in the run's folder for temporary files where it's left out
 */
export async function pgliteFolder(folder?: string): Promise<string> {
  made ??= original()
  const from = await made
  const to = folder ?? path.join(mkdtempSync(path.join(tmpdir(), 'rowhouse-pglite-')), 'records')
  cpSync(from, to, { recursive: true })
  return to
}
