import { QueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import type { Recipe } from '../../../tables/recipes/recipe.ts'
import { renderConvert } from '../testing/render-convert.tsx'
import { testStore } from '../testing/test-store.ts'
import { RecipesButton } from './RecipesButton.tsx'

/** Opens the list of recipes, with recipes of these names. */
async function open(...names: string[]) {
  const queries = new QueryClient()
  const kept = new Map(names.map((name, i) => [`${i}`, { id: `${i}`, name, createdAt: 1 } as unknown as Recipe]))
  let made = names.length
  const rendered = renderConvert(<RecipesButton />, testStore({} as unknown as EngineClient), {
    queries,
    recipes: async () => [...kept.values()],
    saveRecipe: async (recipe: Recipe) => {
      kept.set(recipe.id, recipe)
      await queries.invalidateQueries()
    },
    removeRecipe: async (id: string) => {
      kept.delete(id)
      await queries.invalidateQueries()
    },
    newId: () => `${made++}`,
  })
  await rendered.user.click(await screen.findByRole('button', { name: 'Recipes' }))
  await button(`Rename recipe ${names[0]}`)
  return { ...rendered, kept: () => [...kept.values()].map(({ name }) => name) }
}

const button = (name: string): Promise<HTMLElement> => screen.findByRole('button', { name })

test('Escape discards a typed name, and leaves the list open', async () => {
  const { user, kept } = await open('months')
  await user.click(await button('Rename recipe months'))
  await user.keyboard('weeks{Escape}')
  await waitFor(async () => expect(document.activeElement).toBe(await button('Rename recipe months')))
  expect(screen.getByRole('dialog', { name: 'Recipes' })).toBeTruthy()
  expect(kept()).toEqual(['months'])
})

test('a recipe can’t get another one’s name', async () => {
  const { user, kept } = await open('months', 'weeks')
  await user.click(await button('Rename recipe weeks'))
  await user.keyboard('months{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('Another recipe has this name.')
  await user.keyboard(' of 2026{Enter}')
  await waitFor(async () => expect(document.activeElement).toBe(await button('Rename recipe months of 2026')))
  await user.click(await button('Duplicate recipe months'))
  await button('Rename recipe months (copy)')
  await user.click(await button('Duplicate recipe months'))
  await button('Rename recipe months (copy) (2)')
  expect(kept()).toEqual(['months', 'months of 2026', 'months (copy)', 'months (copy) (2)'])
})

test('removing a recipe can be undone, even the last one', async () => {
  const { user, kept } = await open('months')
  await user.click(await button('Remove recipe months'))
  const undo = await button('Undo removing recipe months')
  expect([kept(), document.activeElement]).toEqual([[], undo])
  await user.click(undo)
  await button('Remove recipe months')
  expect(kept()).toEqual(['months'])
})
