import { useEffect, useMemo, useState } from 'react'
import { createMemorySession, type SampledTable, type SqlSession } from '../../../../engine/client.ts'
import { quoteName, type Schema } from '../../../../lib/duckdb-sql/index.ts'
import { shapeMessage } from '../../../../tables/reshape/shape.ts'
import type { EditorSession } from '../../../shared/sql-editor/handle.ts'
import { useConvert } from '../../context.tsx'
import { toFailure, type Failure } from '../../model/failure.ts'
import type { Job } from '../../model/job.ts'
import { shapableOf, type Shapable } from '../../model/shaping.ts'

/** Milliseconds without changes of columns before the rows are read again. */
const CHOOSING = 300

/** The first rows of a job's tables, and a session that contains them. */
export interface Sample {
  readonly tables: readonly SampledTable[]
  readonly session: SqlSession
}

interface Sampled {
  readonly sample: Sample | null
  readonly failure: Failure | null
}

const NONE: Sampled = { sample: null, failure: null }

/** The tables that a statement for a job would read; null until the job's files are read. */
export function useShapable(job: Job): Shapable | null {
  const { file, plan, combination, shape } = job
  return useMemo(
    () => shapableOf({ file, plan, ...(combination ? { combination } : {}), ...(shape ? { shape } : {}) }),
    [file, plan, combination, shape],
  )
}

/** Reads the first rows again whenever the job's settings for reading change; the previous ones stay until then. */
export function useSample(shapable: Shapable | null): Sampled {
  const { client } = useConvert()
  const [sampled, setSampled] = useState<Sampled>(NONE)
  const { sample } = sampled
  useEffect(() => () => sample?.session.close(), [sample])
  useEffect(() => {
    if (!shapable) return undefined
    const { files, what, tables } = shapable
    const cancelling = new AbortController()
    const { signal } = cancelling
    const read = async (): Promise<void> => {
      try {
        const found = await client.sample(files, { tables, what }, { signal })
        if (signal.aborted) return
        setSampled({ sample: { tables: found, session: sessionOver(found) }, failure: null })
      } catch (error) {
        if (!signal.aborted) setSampled({ sample: null, failure: toFailure(error) })
      }
    }
    const timer = setTimeout(() => void read(), CHOOSING)
    return () => {
      clearTimeout(timer)
      cancelling.abort()
    }
  }, [client, shapable])
  return sampled
}

/** A session with the tables' first rows, under their names in the statement. The caller must close it. */
export function sessionOver(tables: readonly SampledTable[]): SqlSession {
  const session = createMemorySession(new Map(tables.map(({ fileId, stored }) => [fileId, stored])))
  session.use({
    published: [],
    local: tables.map(({ named, fileId, columns }) => ({
      name: named.name,
      fileId,
      ...(named.file === undefined ? {} : { file: { path: named.file, table: named.table, columns, read: null } }),
    })),
  })
  return session
}

/** The session for the editor, with messages adapted to a card. */
export function useEditorSession(sample: Sample | null): EditorSession | null {
  return useMemo(() => {
    if (!sample) return null
    const { session } = sample
    return {
      check: async (statement, options) => {
        const problems = await session.check(statement, options)
        return problems.map((problem) => ({ ...problem, message: shapeMessage(problem.message) }))
      },
      describe: (statement, options) => session.describe(statement, options),
      dialect: () => session.dialect(),
    }
  }, [sample])
}

/** The tables under their names in the statement. */
export function useSchema(sample: Sample | null): Schema {
  return useMemo(
    () => ({
      workspaces: [],
      temporary: [],
      local: (sample?.tables ?? []).map(({ named, fileId, columns, total }) => ({
        id: fileId,
        name: named.name,
        rowCount: total,
        columns,
        reference: quoteName(named.name),
        ...(named.file === undefined ? {} : { file: named.file }),
      })),
    }),
    [sample],
  )
}
