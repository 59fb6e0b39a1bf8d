import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { expect, test } from 'vitest'
import type { JobRecord } from '../model/records.ts'
import { createDatabase } from './database.ts'

test('records of an earlier version keep their file of rejected rows', async () => {
  const old = await openDB('rowhouse-convert', 2, {
    upgrade(database) {
      for (const name of ['jobs', 'recipes', 'sources']) database.createObjectStore(name, { keyPath: 'id' })
    },
  })
  await old.put('jobs', { id: 'a', result: { outputs: [], quarantine: { id: 'q' } } })
  await old.put('jobs', { id: 'b', result: null })
  old.close()
  expect(await createDatabase().jobs()).toEqual([
    { id: 'a', result: { outputs: [], rejectedFile: { id: 'q' } } },
    { id: 'b', result: null },
  ])
})

test('the database is opened again after another tab made it close', async () => {
  const database = createDatabase()
  await database.recipes()
  await deleteDB('rowhouse-convert')
  expect(await database.recipes()).toEqual([])
})

test('many records are written in one transaction, in several tasks', async () => {
  const { jobs, putJobs } = createDatabase()
  await putJobs(Array.from({ length: 120 }, (_, i) => ({ id: `j${i}` }) as JobRecord))
  expect(await jobs()).toHaveLength(120)
})
