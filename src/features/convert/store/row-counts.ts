import { withRowCounts } from '../../../tables/checks.ts'
import { isHeld, type Job } from '../model/job.ts'
import type { ConvertDatabase } from './database.ts'

/** Has the recipe that a job goes by keep its number of rows for the next time, once what it made isn't held. */
export async function keepRowCounts(
  { result, rowCount, combination }: Pick<Job, 'result' | 'rowCount' | 'combination'>,
  database: Pick<ConvertDatabase, 'recipes' | 'putRecipe'>,
  wrote: () => void,
): Promise<void> {
  if (!result || isHeld(result) || rowCount?.recipe === undefined) return
  const recipe = (await database.recipes()).find(({ id }) => id === rowCount.recipe)
  if (!recipe?.rowCount) return
  const receipts = result.outputs.flatMap((output) => output.receipts)
  const counted = receipts.map(({ source, found, rejectedRows }) => {
    return { table: combination ? null : source.table, rows: found.rows + rejectedRows }
  })
  await database.putRecipe({ ...recipe, rowCount: withRowCounts(recipe.rowCount, counted) })
  wrote()
}
