import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { answerQuery, openQueryEngine } from '../../engine/sql/query.ts'
import { loadText } from '../../engine/testing/tables.ts'
import { openFile } from '../engine/files.ts'
import { builtDuckDB } from '../testing/native.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse’s \'odd\' "ñ 😀"-'))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

it('runs statements in a folder of any name', async () => {
  vi.stubEnv('TMPDIR', folder)
  const { stored, file } = await loadText('a\n1\n2\n')
  const { fileId } = stored
  const place = path.join(folder, 'stored.db')
  writeFileSync(place, new Uint8Array(await file.arrayBuffer()))
  const engine = await openQueryEngine(builtDuckDB(), { keptFiles: 0 })
  const tables = [{ workspace: 'w', dataset: 'd', table: 't', fileId }]
  const files = new Map([[fileId, await openFile(place)]])
  const { signal } = new AbortController()
  const { rows } = await answerQuery(
    engine,
    { sql: 'SELECT sum(a)::INTEGER FROM w.d.t', tables, files, maxRows: 1 },
    signal,
  )
  expect(rows).toEqual([[3]])
})
