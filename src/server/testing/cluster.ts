import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { postgresPrograms, startPostgres } from './postgres.ts'
import { buildServer } from './server.ts'

const HOST = process.env['ROWHOUSE_HOST']

declare module 'vitest' {
  interface ProvidedContext {
    /** For tests' files; removed when all have ended. */
    readonly folder: string
    /** Null if records are in the embedded database. */
    readonly postgresUrl: string | null
  }
}

/** Sets up what all tests of the service on a server share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (HOST !== undefined) await buildServer()
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-contract-'))
  const programs = HOST === 'cluster' ? postgresPrograms() : null
  if (HOST === 'cluster' && programs === null) throw new Error('PostgreSQL isn’t installed here')
  const postgres = programs === null ? null : await startPostgres(programs)
  project.provide('folder', folder)
  project.provide('postgresUrl', postgres?.url ?? null)
  return async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
