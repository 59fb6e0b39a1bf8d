import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { expect, test } from 'vitest'
import type { Recipe } from '../../../tables/recipes/recipe.ts'
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

test('a recipe is changed as it is by then, and not put back once it was removed', async () => {
  const { recipes, putRecipe, changeRecipe, removeRecipe } = createDatabase()
  const recipe = { id: 'r', name: 'old' } as Recipe
  await putRecipe(recipe)
  await Promise.all([
    putRecipe({ ...recipe, name: 'new' }),
    changeRecipe('r', (now) => ({ ...now, createdAt: 1 })),
    changeRecipe('r', (now) => ({ ...now, createdAt: now.createdAt + 1 })),
  ])
  expect(await recipes()).toEqual([{ id: 'r', name: 'new', createdAt: 2 }])
  await Promise.all([removeRecipe('r'), changeRecipe('r', (now) => now)])
  expect(await recipes()).toEqual([])
})
