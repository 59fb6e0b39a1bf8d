import { expect, test } from 'vitest'
import { toRecipeFile } from '../../../tables/files/recipe-file.ts'
import type { Recipe } from '../../../tables/recipes/recipe.ts'
import { connectToasts } from '../../../ui/overlays/toasts.ts'
import { addRecipes } from './recipe-files.ts'

const RECIPE: Recipe = {
  version: 1,
  id: 'r',
  name: 'months',
  createdAt: 1,
  matches: [{ format: 'csv', tables: [{ name: null, sources: ['id'] }] }],
  request: {},
  edits: [],
  target: 'csv',
  options: {},
}

/** Adds a file to existing recipes, and returns the messages. */
async function add(file: File, ...kept: Recipe[]): Promise<readonly string[]> {
  const said: string[] = []
  connectToasts({
    add: ({ title, description }: { title: string; description: string }) => void said.push(title, description),
  } as unknown as Parameters<typeof connectToasts>[0])
  await addRecipes([file], { recipes: async () => kept, saveRecipe: async (recipe) => void kept.push(recipe) })
  return [...kept.map(({ name }) => name), ...said]
}

test('a recipe from a file is stored beside one with the same name', async () => {
  const file = new File([JSON.stringify(toRecipeFile(RECIPE, 'https://a.example'))], 'months.recipe.json')
  expect(await add(file, RECIPE)).toEqual([
    'months',
    'months (2)',
    'Recipe “months (2)” added',
    'It’s offered for files of the same columns.',
  ])
})

test('a file too large for a recipe isn’t read', async () => {
  const large = Object.defineProperty(new File(['{'], 'a.recipe.json'), 'size', { value: 900_000_000 })
  expect(await add(large)).toEqual(['“a.recipe.json” couldn’t be added', 'It has 900 MB, more than any recipe.'])
})
