import type { RowCountCheck } from '../../../tables/checks.ts'
import { withRowCounts } from '../../../tables/checking.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { isHeld, type Job } from '../model/job.ts'
import type { ConvertDatabase } from './database.ts'

/** Stores a job's row counts in its recipe for the next time, once its result needs no confirmation. */
export async function keepRowCounts(
  { result, rowCount, combination }: Pick<Job, 'result' | 'rowCount' | 'combination'>,
  database: Pick<ConvertDatabase, 'changeRecipe'>,
  wrote: () => void,
): Promise<void> {
  if (!result || isHeld(result) || rowCount?.recipe === undefined) return
  const receipts = result.outputs.flatMap((output) => output.receipts)
  const counted = receipts.flatMap((receipt) => (combination ? [rowsRead(receipt, null)] : rowsOfTables(receipt)))
  await database.changeRecipe(rowCount.recipe, (recipe) =>
    recipe.rowCount ? { ...recipe, rowCount: withRowCounts(recipe.rowCount, counted) } : recipe,
  )
  wrote()
}

type Counted = RowCountCheck['last'][number]

/** For each table of the file, since a statement may have read several. */
function rowsOfTables(receipt: Receipt): Counted[] {
  const { source, sources, shape } = receipt
  if (!shape || !sources) return [rowsRead(receipt, source.table)]
  return sources.map(({ table, rows, rejectedRows }) => ({ table, rows: rows + rejectedRows }))
}

/** The rows that were read, whatever a statement made of them. */
function rowsRead({ shape, found, rejectedRows }: Receipt, table: string | null): Counted {
  const rows = shape ? shape.tables.reduce((sum, { read }) => sum + read.rows, 0) : found.rows
  return { table, rows: rows + rejectedRows }
}
