import type { ImportPlan } from '../plan.ts'
import type { RecipeColumn } from '../recipes/combined.ts'

/* How tables of several files become one. Plain data. */

/** A table that goes into a combination. */
export interface CombineInput {
  /** The file's name. */
  readonly file: string
  readonly plan: ImportPlan
  /** Index into the plan's tables. */
  readonly table: number
}

/** A column of the table that is made. */
export interface CombinedColumn {
  readonly name: string
  /** DuckDB type name: one that holds the values of all inputs as they are. */
  readonly type: string
  /** The type that it had when the recipe was made, where that isn't this one. */
  readonly was?: string
  /** For each input the index of its column in its table's plan; null where it has none. */
  readonly cells: readonly (number | null)[]
}

export interface CombinePlan {
  readonly columns: readonly CombinedColumn[]
  /** Names of the columns that the person left out. */
  readonly leftOut: readonly string[]
  /** The column that tells each row's file; null for none. */
  readonly fileColumn: string | null
  /** The column that tells each row's number in its file, from 1, rejected rows counted; null for none. */
  readonly rowColumn: string | null
}

/** What an input is called among the others: its file, and its sheet where the file has several. */
export function labelOf({ file, plan, table }: CombineInput): string {
  const sheet = plan.tables[table]?.name
  return sheet === null || sheet === undefined || plan.tables.length === 1 ? file : `${file}, ${sheet}`
}

/** A column of an input, as its plan has it. */
export interface InputColumn {
  /** Index in the plan's table. */
  readonly index: number
  /** The name that the plan gives it. */
  readonly name: string
  /** The name in the file. */
  readonly source: string
  /** Which of the file's columns of that name it is, from 0. */
  readonly nth: number
  readonly type: string
  /** Without any value: its type says nothing. */
  readonly empty: boolean
}

/** What a table is to a recipe, where one is applied. */
export interface RecipePlace {
  /** Which of its kinds of files it's of. */
  readonly member?: number
  /** The sheet's name in the recipe, where it's called otherwise. */
  readonly knownAs?: string
}

export interface InputTable extends RecipePlace {
  readonly id: string
  readonly label: string
  /** Rejected ones counted. */
  readonly rows: number
  /** Sheet name; null where a file is one table. */
  readonly table: string | null
  readonly columns: readonly InputColumn[]
}

/** Columns of the inputs that are one column of the result. */
export interface MatchedColumn {
  /** Stays the same whatever the person chooses of other columns. */
  readonly key: string
  readonly name: string
  readonly type: string
  readonly include: boolean
  /** As a recipe has it. */
  readonly expected?: RecipeColumn
  /** For each input; null where it has none. */
  readonly cells: readonly (InputColumn | null)[]
}
