import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fromRecipeFile } from '../../../tables/files/recipe-file.ts'
import { safeName } from '../../../tables/combine/combination.ts'
import { isCombinedRecipe, isFileRecipe, type FileRecipe, type Recipe } from '../../../tables/recipes/recipe.ts'
import type { Split } from '../../../tables/reshape/types.ts'
import type { ConvertRequest } from '../../../engine/convert/protocol.ts'
import { sourceFormatOf, targetOf, type Parsed } from '../arguments.ts'
import { UsageError, type Io } from '../io.ts'
import { failureOf } from '../words.ts'
import type { Target } from '../../../tables/changes/changes.ts'
import type { InspectRequest } from '../../../tables/inspect-request.ts'

export const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  out: { type: 'string', short: 'o' },
  recipe: { type: 'string' },
  combine: { type: 'boolean' },
  name: { type: 'string' },
  'no-file-column': { type: 'boolean' },
  'row-column': { type: 'boolean' },
  'split-by': { type: 'string' },
  'split-period': { type: 'string' },
  'split-rows': { type: 'string' },
  receipt: { type: 'boolean' },
  replace: { type: 'boolean' },
  'accept-rejected': { type: 'boolean' },
  'accept-failed-checks': { type: 'boolean' },
  'accept-other-columns': { type: 'boolean' },
  'accept-proposals': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

type Values = Parsed<typeof OPTIONS>['values']

/** What all conversions have in common. */
export interface Settings {
  /** How to read files, as far as the options say so. */
  readonly request: InspectRequest
  /** How to write outputs. */
  readonly written: Target & Pick<ConvertRequest, 'split' | 'shape' | 'rowCount'>
  /** The folder for outputs; null means beside their sources. */
  readonly out: string | null
  readonly receipt: boolean
  readonly replace: boolean
  readonly accepts: Readonly<Record<'rows' | 'checks' | 'columns' | 'proposals', boolean>>
}

/** Settings to convert files separately. */
export interface EachSettings extends Settings {
  readonly recipe: FileRecipe | null
}

/** Settings to combine files into one table. */
export interface CombineSettings extends Settings {
  readonly recipe: Recipe | null
  /** The output's name without extension; null to use the recipe's, or derive one from the files' names. */
  readonly name: string | null
  /** Null to use the recipe's choice or the default. */
  readonly fileColumn: boolean | null
  readonly rowColumn: boolean | null
}

/**
 * Reads the options and the recipe.
 * @throws {UsageError}
 */
export async function settingsOf(
  values: Values,
  io: Io,
): Promise<{ readonly each: EachSettings } | { readonly combine: CombineSettings }> {
  const recipe = values.recipe === undefined ? null : await readRecipe(values.recipe, io)
  if (values.to === undefined && !recipe) throw new UsageError('Say what to convert to, such as --to parquet.')
  const split = splitOf(values) ?? recipe?.split
  const { shape, rowCount } = recipe ?? {}
  const settings: Settings = {
    request: values.from === undefined ? {} : { format: sourceFormatOf(values.from) },
    written: {
      ...targetBy(values.to, recipe),
      ...(split ? { split } : {}),
      ...(shape ? { shape } : {}),
      ...(rowCount ? { rowCount } : {}),
    },
    out: values.out === undefined ? null : await folderNamed(values.out, io),
    receipt: values.receipt ?? false,
    replace: values.replace ?? false,
    accepts: {
      rows: values['accept-rejected'] ?? false,
      checks: values['accept-failed-checks'] ?? false,
      columns: values['accept-other-columns'] ?? false,
      proposals: values['accept-proposals'] ?? false,
    },
  }
  if (values.combine !== true && !(recipe && isCombinedRecipe(recipe))) {
    refuseWithoutCombine(values)
    return { each: { ...settings, recipe } }
  }
  if (recipe && isFileRecipe(recipe)) refuseOfOneFile(recipe)
  return {
    combine: {
      ...settings,
      recipe,
      name: nameOf(values.name),
      fileColumn: values['no-file-column'] === true ? false : null,
      rowColumn: values['row-column'] ?? null,
    },
  }
}

async function readRecipe(argument: string, io: Io): Promise<Recipe> {
  try {
    return fromRecipeFile(await readFile(path.resolve(io.folder, argument), 'utf8'), 'recipe')
  } catch (error) {
    const isSystem = error instanceof Error && 'syscall' in error
    const why = isSystem ? failureOf(error).message : error instanceof Error ? error.message : ''
    throw new UsageError(`The recipe “${argument}” can’t be used. ${why}`, { cause: error })
  }
}

/** The absolute path of a folder that exists or can be created. */
async function folderNamed(argument: string, io: Io): Promise<string> {
  if (argument === '-') {
    throw new UsageError('Files can’t be written to standard output (-), as they are read back. Name a folder.')
  }
  const folder = path.resolve(io.folder, argument)
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await stat(at).catch(() => null)
    if (found?.isDirectory() || at === path.dirname(at)) return folder
    if (found) throw new UsageError(`--out needs a folder, and “${path.relative(io.folder, at) || at}” is a file.`)
  }
}

function targetBy(name: string | undefined, recipe: Recipe | null): Target {
  const given = targetOf(name ?? recipe?.target ?? '')
  const options = recipe?.options[given.target]
  // A name such as ndjson asks for other options than the defaults, so it overrides the recipe's.
  if (!options || (name !== undefined && JSON.stringify(given) !== JSON.stringify(targetOf(given.target)))) return given
  return { ...given, options }
}

function splitOf(values: Values): Split | undefined {
  const { 'split-by': column, 'split-period': period, 'split-rows': count } = values
  if (column !== undefined && count !== undefined) throw new UsageError('Split by a column or by rows, not by both.')
  if (period !== undefined && column === undefined) throw new UsageError('--split-period needs --split-by.')
  if (period !== undefined && period !== 'month' && period !== 'year')
    throw new UsageError('--split-period is month or year.')
  if (column !== undefined) return { by: 'column', column, ...(period ? { period } : {}) }
  if (count === undefined) return undefined
  const rows = Number(count.replaceAll(/[_,]/g, ''))
  if (!Number.isSafeInteger(rows) || rows < 1) throw new UsageError('--split-rows needs a whole number, 1 or more.')
  return { by: 'rows', rows }
}

const OF_COMBINE = ['name', 'no-file-column', 'row-column', 'accept-proposals'] as const

function refuseWithoutCombine(values: Values): void {
  const given = OF_COMBINE.find((option) => values[option] !== undefined)
  if (given) throw new UsageError(`--${given} needs --combine.`)
}

/** A recipe's statement, split or row count was made for one file and isn't applied to combined ones. */
function refuseOfOneFile({ shape, split, rowCount }: FileRecipe): void {
  const does = shape ? 'shapes it with a statement' : split ? 'splits it' : rowCount ? 'counts its rows' : null
  if (does === null) return
  throw new UsageError(
    `The recipe is for one file, and ${does}, so it can’t combine files. Combine them in the app, and save that as a recipe.`,
  )
}

/** The name without characters that aren't valid in file names. */
function nameOf(given: string | undefined): string | null {
  if (given === undefined) return null
  const name = safeName(given)
  if (name === '') throw new UsageError('--name needs a name.')
  return name
}
