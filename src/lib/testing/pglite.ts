import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { cached } from '../build-cache.ts'

/*
 * Folders of the embedded database as it is when it has just been made. To make one takes five seconds of the processor, to
 * copy it and open the copy takes less than one: so one is made, by the first test that asks, and kept for later runs.
 */

let made: Promise<string> | null = null

/** Where the one that is copied is: one for each version of the library. */
function original(): Promise<string> {
  const library = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(readFileSync(path.join(library, '../package.json'), 'utf8')) as {
    readonly version: string
  }
  return cached('pglite', [version], async (place) => (await PGlite.create({ dataDir: place })).close())
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
