import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { cached } from '../build-cache.ts'

/*
 * A new embedded database's folder. Creating one takes five seconds of CPU time, copying and opening a copy less than
 * one. So the first test that needs one creates it, and later tests and runs copy it.
 */

let made: Promise<string> | null = null

/** The path of the folder to copy: one for each version of the library. */
function original(): Promise<string> {
  const library = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(readFileSync(path.join(library, '../package.json'), 'utf8')) as {
    readonly version: string
  }
  return cached('pglite', [version], async (place) => (await PGlite.create({ dataDir: place })).close())
}

/**
 * Creates the embedded database's folder.
 * @param folder must not exist yet; by default in the run's folder for temporary files
 */
export async function pgliteFolder(folder?: string): Promise<string> {
  made ??= original()
  const from = await made
  const to = folder ?? path.join(mkdtempSync(path.join(tmpdir(), 'rowhouse-pglite-')), 'records')
  cpSync(from, to, { recursive: true })
  return to
}
