import { z } from 'zod'
import { storedText, type AskStorage } from '../../../lib/stored-text.ts'
import { ontoOf } from '../model/adding.ts'
import { type AddedFile, type Draft, fileOf } from '../model/draft.ts'
import type { TableRun } from '../model/publish.ts'

/** Remembers which files were added to which datasets in this browser. */
export interface AddedFiles {
  of(dataset: string): readonly AddedFile[]
  add(dataset: string, files: readonly AddedFile[]): void
}

/** Most entries; the oldest are forgotten. */
const MOST = 1000

const entries = z.array(
  z.object({ dataset: z.string(), table: z.string(), hash: z.string(), index: z.number(), at: z.number() }),
)

/** Stored in local storage or, if that's forbidden, for this page only. */
export function keepAddedFiles(storage: AskStorage = () => localStorage): AddedFiles {
  const kept = storedText('rowhouse-datasets-added', storage)
  const read = (): z.infer<typeof entries> => {
    try {
      return entries.parse(JSON.parse(kept.read() ?? '[]'))
    } catch {
      return [] // Not written by this app.
    }
  }
  return {
    of: (dataset) => read().filter((entry) => entry.dataset === dataset),
    add(dataset, files) {
      if (files.length === 0) return
      kept.write(JSON.stringify([...read(), ...files.map((file) => ({ dataset, ...file }))].slice(-MOST)))
    },
  }
}

/** A draft's files whose tables were loaded. */
export function addedFiles(draft: Draft, runs: ReadonlyMap<string, TableRun>, at: number): AddedFile[] {
  return draft.tables.flatMap((table) => {
    const hash = fileOf(draft, table)?.hash
    if (!hash || runs.get(table.id)?.kind !== 'done') return []
    return [{ table: ontoOf(draft, table) ?? table.name.trim(), hash, index: table.index, at }]
  })
}
