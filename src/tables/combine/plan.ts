import type { ImportPlan } from '../plan.ts'
import type { RecipeColumn } from '../recipes/combined.ts'

/* The plan for combining tables of several files. Plain data. */

/** A table to combine. */
export interface CombineInput {
  /** Name of the file. */
  readonly file: string
  readonly plan: ImportPlan
  /** Index of the plan's table. */
  readonly table: number
}

/** A column of the combined table. */
export interface CombinedColumn {
  readonly name: string
  /** DuckDB type name: one that holds the values of all inputs unchanged. */
  readonly type: string
  /** The type in the recipe, if it's another. */
  readonly was?: string
  /** For each input, the index of its column in the table's plan; null if it has none. */
  readonly cells: readonly (number | null)[]
}

export interface CombinePlan {
  readonly columns: readonly CombinedColumn[]
  /** Names of the columns that the user excluded. */
  readonly leftOut: readonly string[]
  /** Name of the column with each row's file; null for none. */
  readonly fileColumn: string | null
  /** Name of the column with each row's number in its file, from 1, including rejected rows; null for none. */
  readonly rowColumn: string | null
}

/** Label of an input: its file, and its sheet if the file has several. */
export function labelOf({ file, plan, table }: CombineInput): string {
  const sheet = plan.tables[table]?.name
  return sheet === null || sheet === undefined || plan.tables.length === 1 ? file : `${file}, ${sheet}`
}

/** A column of an input, as planned. */
export interface InputColumn {
  /** Index in the plan's table. */
  readonly index: number
  /** Planned name. */
  readonly name: string
  /** Name in the file. */
  readonly source: string
  /** Index among the file's columns with that name, from 0. */
  readonly nth: number
  readonly type: string
  /** Whether it has no values, so that its type means nothing. */
  readonly empty: boolean
}

/** A table's place in an applied recipe. */
export interface RecipePlace {
  /** Index of the recipe's member that its file matches. */
  readonly member?: number
  /** The sheet's name in the recipe, if it's another. */
  readonly knownAs?: string
}

export interface InputTable extends RecipePlace {
  readonly id: string
  readonly label: string
  /** Including rejected rows. */
  readonly rows: number
  /** Sheet name; null for a file with a single table. */
  readonly table: string | null
  readonly columns: readonly InputColumn[]
}

/** A column of the result, with the inputs' columns that match. */
export interface MatchedColumn {
  /** Stable, whatever the user chooses for other columns. */
  readonly key: string
  readonly name: string
  readonly type: string
  readonly include: boolean
  /** The recipe's column. */
  readonly expected?: RecipeColumn
  /** For each input; null if it has none. */
  readonly cells: readonly (InputColumn | null)[]
}
