import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOCAL } from '../../../engine/sql/catalog.ts'
import type { LocalTable } from '../../../engine/sql/session-types.ts'
import type { NamedTable } from '../../../engine/storage/table-types.ts'
import { load, type Loaded } from '../../../engine/testing/tables.ts'
import type { Differential, Given, Outcome } from './differential.ts'

/* Statements that pages ran in the end-to-end tests, and the tables' files (see `e2e/statements.ts`). */

const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/rowhouse-statements', import.meta.url))
const STATEMENTS = path.join(FOLDER, 'statements.jsonl')

/** Whether statements were recorded. */
export const hasRecorded = existsSync(STATEMENTS)

/** Tables without a name for the service, such as `my.t`, aren't recorded. */
interface Recorded extends Required<Omit<Given, 'kept'>> {
  readonly sql: string
}

/**
 * Runs each statement that was recorded once, unless it's about other tables. `unknown` means that there's no file with
 * only the table.
 */
export async function runRecorded(
  differential: Differential,
): Promise<{ sql: string; kind: Outcome['kind'] | 'unknown'; detail: string }[]> {
  const outcomes: Awaited<ReturnType<typeof runRecorded>> = []
  const loaded = new Map<string, Loaded | null>()
  const add = async <T extends NamedTable | LocalTable>(table: T, known: NamedTable): Promise<T | null> => {
    const kept = loaded.get(table.fileId) ?? (await recordedFile(table.fileId))
    loaded.set(table.fileId, kept)
    if (!kept) return null
    const { fileId } = kept.stored
    await differential.addStored({ ...known, fileId }, kept)
    return { ...table, fileId }
  }
  const lines = new Set(readFileSync(STATEMENTS, 'utf8').trimEnd().split('\n'))
  for (const line of lines) {
    const { sql, parameters, ...given } = JSON.parse(line) as Recorded
    const published: (NamedTable | null)[] = []
    for (const table of given.published) published.push(await add(table, table))
    const local: (LocalTable | null)[] = []
    for (const { name, fileId, file, database } of given.local) {
      // A file that was queried where it lay becomes a table like any other, but not one with several tables.
      const table = { name, fileId, ...(file && { file }) }
      local.push(database ? null : await add(table, { ...LOCAL, table: name, fileId }))
    }
    const known = { published: published.filter(isThere), local: local.filter(isThere), parameters }
    outcomes.push(
      [...published, ...local].includes(null)
        ? { sql, kind: 'unknown', detail: 'a table without a file of its own' }
        : { sql, ...(await differential.run(sql, /\bORDER BY\b/i.test(sql), known)) },
    )
  }
  return outcomes
}

function isThere<T>(value: T | null): value is T {
  return value !== null
}

async function recordedFile(fileId: string): Promise<Loaded | null> {
  const place = path.join(FOLDER, 'files', encodeURIComponent(fileId))
  if (!existsSync(place)) return null
  const bytes = readFileSync(place)
  const file = new File([bytes], 'recorded')
  const isDatabase = bytes.toString('latin1', 8, 12) === 'DUCK'
  return isDatabase ? { stored: { fileId, rowCount: 0, byteSize: bytes.length, schema: [] }, file } : load(file)
}
