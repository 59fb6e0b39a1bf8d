import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ConvertProgress, ConvertResult, Output } from '../../../engine/convert/protocol.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../lib/counts.ts'
import { fromRecipeFile } from '../../../tables/files/recipe-file.ts'
import { toReceiptFile } from '../../../tables/files/receipt-file.ts'
import { applyEdits, NO_EDITS } from '../../../tables/edits.ts'
import { extensionOf, stemOf } from '../../../tables/names.ts'
import { failedChecks, hashesOf, whyHeld, withHashes } from '../../../tables/outputs.ts'
import type { ImportPlan, Inspection, InspectRequest, RejectedRow } from '../../../tables/plan.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { isFileRecipe, recipeFinder, type FileRecipe } from '../../../tables/recipes/recipe.ts'
import { signatureOf } from '../../../tables/recipes/signature.ts'
import type { Shape, Split } from '../../../tables/reshape/types.ts'
import { convert, hash, type Converted, type ExtraFile } from '../../engine/engine.ts'
import { FileExists } from '../../engine/outputs.ts'
import { parseArguments, sourceFormatOf, targetOf, type Target } from '../arguments.ts'
import { EXIT, Failed, ProgressLine, UsageError, type Io } from '../io.ts'
import { filesNamed } from '../paths.ts'
import { look, named, rowsOf, shareOf, type Named } from '../reading.ts'
import { checkLines, failureOf, noteLines, rejectedLines, sentenceOf, type Failure } from '../words.ts'
import type { Command } from './command.ts'

const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  out: { type: 'string', short: 'o' },
  recipe: { type: 'string' },
  receipt: { type: 'boolean' },
  replace: { type: 'boolean' },
  'accept-rejected': { type: 'boolean' },
  'accept-failed-checks': { type: 'boolean' },
  'accept-other-columns': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const HELP = `rowhouse convert FILE… --to FORMAT

Converts files, each to a file of its own (a workbook's sheets to one each, where the format holds one table). Every file
that is made is read back and compared with what was read: what isn’t the same is a failure, and leaves nothing.

FILE may be a pattern in quotes, such as 'data/**/*.csv'. FORMAT is csv, tsv, json, ndjson, xlsx, parquet or arrow.

  --to FORMAT               what to make
  --from FORMAT             read as this format, whatever the file seems to be
  --out DIR, -o DIR         where files go; by default beside the file that they're made of
  --recipe FILE             read and write as this recipe says, saved by the app; --to overrules its format
  --receipt                 put a receipt beside each: what was compared, with SHA-256 of source and new file
  --replace                 write over files that are there already
  --accept-rejected         go without the rows that don’t fit; they go to NAME.rejected.csv
  --accept-failed-checks    take files whose values fail the recipe’s checks
  --accept-other-columns    use a recipe on files that have other columns than those that it was made for
  --json                    one JSON document: {"files": [{"file", "status", …}]}
  --help                    this text

A file is held, and nothing is made of it, when rows don’t fit, checks fail or columns differ, until you accept that.

Exit codes: 0 done, 1 a file failed or is held, 2 wrong usage, 130 cancelled.
`

interface Settings {
  readonly request: InspectRequest
  readonly recipe: FileRecipe | null
  readonly target: Target
  readonly split: Split | undefined
  readonly shape: Shape | undefined
  readonly out: string | null
  readonly receipt: boolean
  readonly replace: boolean
  readonly accepts: { readonly rows: boolean; readonly checks: boolean; readonly columns: boolean }
}

/** What became of a file, for programs. */
type Told = { readonly file: string } & (
  | {
      readonly status: 'done'
      readonly outputs: readonly {
        readonly path: string
        readonly size: number
        readonly receipts: readonly Receipt[]
      }[]
      readonly rejected: {
        readonly count: number
        readonly path: string | null
        readonly first: readonly RejectedRow[]
      }
      readonly receipt: string | null
    }
  | {
      readonly status: 'held'
      readonly error: Failure
      readonly rejected?: { count: number; first: readonly RejectedRow[] }
    }
  | { readonly status: 'failed'; readonly error: Failure }
)

/** What a person has to agree to first. */
class Held extends Failed {
  readonly lines: readonly string[]
  readonly result: ConvertResult | null

  constructor(message: string, remedy: string, lines: readonly string[], result: ConvertResult | null = null) {
    super('held', message, remedy)
    this.lines = lines
    this.result = result
  }
}

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (positionals.length === 0) throw new UsageError('Name the files to convert.')
  const recipe = values.recipe === undefined ? null : await readRecipe(values.recipe, io)
  if (values.to === undefined && !recipe) throw new UsageError('Say what to convert to, such as --to parquet.')
  const settings: Settings = {
    request: {
      ...recipe?.request,
      ...(values.from === undefined ? {} : { format: sourceFormatOf(values.from) }),
    },
    recipe,
    target: targetBy(values.to, recipe),
    split: recipe?.split,
    shape: recipe?.shape,
    out: values.out === undefined ? null : path.resolve(io.folder, values.out),
    receipt: values.receipt ?? false,
    replace: values.replace ?? false,
    accepts: {
      rows: values['accept-rejected'] ?? false,
      checks: values['accept-failed-checks'] ?? false,
      columns: values['accept-other-columns'] ?? false,
    },
  }
  const files = (await filesNamed(positionals, io.folder)).map((argument) => named(argument, io))
  refuseSameNames(files, settings)
  const progress = new ProgressLine(io)
  const isPlain = values.json !== true
  const all: Told[] = []
  for (const file of files) {
    const told = await one(file, settings, io, progress, isPlain)
    all.push(told)
  }
  if (!isPlain) await io.out(`${JSON.stringify({ files: all }, null, 2)}\n`)
  return all.every(({ status }) => status === 'done') ? EXIT.done : EXIT.failed
}

async function readRecipe(argument: string, io: Io): Promise<FileRecipe> {
  try {
    const recipe = fromRecipeFile(await readFile(path.resolve(io.folder, argument), 'utf8'), 'recipe')
    if (isFileRecipe(recipe)) return recipe
    throw new Error('It combines files, which only the app does.')
  } catch (error) {
    const { code } = error as { readonly code?: string }
    const why = code === 'ENOENT' ? 'There is no such file.' : error instanceof Error ? error.message : ''
    throw new UsageError(`The recipe “${argument}” can’t be used. ${why}`, { cause: error })
  }
}

function targetBy(name: string | undefined, recipe: FileRecipe | null): Target {
  const given = targetOf(name ?? recipe?.target ?? '')
  const options = recipe?.options[given.target]
  // ndjson says more than the recipe does of JSON.
  if (!options || (name !== undefined && JSON.stringify(given) !== JSON.stringify(targetOf(given.target)))) return given
  return { ...given, options }
}

/** Two files of one name in two folders would be written over each other. */
function refuseSameNames(files: readonly Named[], { out }: Settings): void {
  const seen = new Map<string, Named>()
  for (const file of files) {
    const key = path.join(out ?? path.dirname(file.path), stemOf(file.path).toLowerCase())
    const other = seen.get(key)
    if (other) {
      throw new UsageError(
        `“${other.argument}” and “${file.argument}” would become files of one name. Convert them to different folders.`,
      )
    }
    seen.set(key, file)
  }
}

async function one(file: Named, settings: Settings, io: Io, progress: ProgressLine, isPlain: boolean): Promise<Told> {
  try {
    const converted = await convertOne(file, settings, io, progress)
    progress.clear()
    if (isPlain) await io.out(doneLines(file, converted, settings, io))
    const receipt = settings.receipt ? path.join(folderOf(file, settings), receiptName(file)) : null
    return {
      file: file.argument,
      status: 'done',
      outputs: converted.outputs.map(({ path: at, size, receipts }) => ({ path: at, size, receipts })),
      rejected: {
        count: converted.rejectedCount,
        path: converted.rejectedFile?.path ?? null,
        first: converted.rejected,
      },
      receipt,
    }
  } catch (error) {
    progress.clear()
    io.signal.throwIfAborted()
    const failure = failureOf(error)
    if (!(error instanceof Held)) {
      if (isPlain) io.err(`${file.argument}: ${sentenceOf(failure)}\n`)
      return { file: file.argument, status: 'failed', error: failure }
    }
    if (isPlain) io.err(`${file.argument}: held. ${[sentenceOf(failure), ...error.lines].join('\n')}\n`)
    const { result } = error
    const rejected = result ? { rejected: { count: result.rejectedCount, first: result.rejected } } : {}
    return { file: file.argument, status: 'held', error: failure, ...rejected }
  }
}

const folderOf = ({ path: at }: Named, { out }: Settings): string => out ?? path.dirname(at)
const receiptName = ({ path: at }: Named): string => `${stemOf(at)}.receipt.json`

async function convertOne(file: Named, settings: Settings, io: Io, progress: ProgressLine): Promise<Converted> {
  const { target, split, shape, replace, receipt, accepts } = settings
  const inspection = await look(file, settings.request, io, progress)
  if (settings.recipe && !accepts.columns) refuseOtherColumns(settings.recipe, inspection)
  const plan = applyEdits(inspection, settings.recipe?.edits ?? NO_EDITS)
  const folder = folderOf(file, settings)
  if (!replace) await refuseTaken(file, plan, settings)
  const rowCount = settings.recipe?.rowCount
  const request = {
    plan,
    ...target,
    ...(split ? { split } : {}),
    ...(shape ? { shape } : {}),
    ...(rowCount ? { rowCount } : {}),
  }
  let sealed: readonly Receipt[][] | null = null
  const converted = await convert(file.path, request, {
    folder,
    replace,
    signal: io.signal,
    onProgress: (told) => progress.show(() => `${file.argument}: ${progressWords(told)}`),
    finish: async (result, pathOf) => {
      refuseHeld(result, accepts)
      if (!receipt) return []
      progress.show(() => `${file.argument}: hashing`)
      const receipts = await withSums(file, result, pathOf, io.signal)
      sealed = receipts
      return [receiptFile(file, receipts.flat())]
    },
  })
  if (!sealed) return converted
  const receipts: readonly Receipt[][] = sealed
  return { ...converted, outputs: converted.outputs.map((output, i) => ({ ...output, receipts: receipts[i] })) }
}

/** Each output's receipts, with the hashes of what they speak of. */
async function withSums(
  { path: source }: Named,
  result: ConvertResult,
  pathOf: (output: Output) => string,
  signal: AbortSignal,
): Promise<Receipt[][]> {
  const hashes = await hashesOf<string, Output>(result, [source], {
    source: (at) => hash(at, { signal }),
    output: (output) => hash(pathOf(output), { signal }),
  })
  return withHashes(result, hashes).outputs.map(({ receipts }) => [...receipts])
}

function receiptFile(file: Named, receipts: readonly Receipt[]): ExtraFile {
  return { name: receiptName(file), content: `${JSON.stringify(toReceiptFile(receipts), null, 2)}\n` }
}

/** Before all the work, where the name is known. */
async function refuseTaken(file: Named, plan: ImportPlan, settings: Settings): Promise<void> {
  const isOne = settings.shape !== undefined || plan.tables.filter(({ include }) => include).length === 1
  if (settings.split || !isOne) return
  const name = path.join(folderOf(file, settings), `${stemOf(file.path)}.${extensionOf(settings.target)}`)
  const isThere = await lstat(name).then(
    () => true,
    () => false,
  )
  if (isThere) throw new FileExists(name, path.resolve(name) === file.path)
}

function refuseOtherColumns(recipe: FileRecipe, inspection: Inspection): void {
  const match = recipeFinder([recipe])(signatureOf(inspection))
  if (!match) {
    throw new Held('It has other tables or columns than those that the recipe was made for.', REMEDY_COLUMNS, [])
  }
  const { missing, added, sheets } = match
  if (sheets.length > 0) {
    const lines = sheets.map(
      ({ known, choices }) => `  “${known}” may be ${choices.map((name) => `“${name}”`).join(' or ')}`,
    )
    throw new Held('Its sheets are called otherwise than those that the recipe was made for.', REMEDY_SHEETS, lines)
  }
  if (missing.length + added.length === 0) return
  const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')
  throw new Held('It has other columns than those that the recipe was made for.', REMEDY_COLUMNS, [
    ...(missing.length > 0 ? [`  not in the file: ${list(missing)}`] : []),
    ...(added.length > 0 ? [`  not in the recipe: ${list(added)}`] : []),
  ])
}

const REMEDY_SHEETS = 'Apply the recipe in the app, and save it again; or name the sheets as they were.'
const REMEDY_COLUMNS = 'Accept that by --accept-other-columns.'

function refuseHeld(result: ConvertResult, accepts: Settings['accepts']): void {
  const failed = accepts.checks ? [] : failedChecks(result)
  const count = accepts.rows ? 0 : result.rejectedCount
  if (failed.length === 0 && count === 0) return
  const flags = [...(count > 0 ? ['--accept-rejected'] : []), ...(failed.length > 0 ? ['--accept-failed-checks'] : [])]
  const remedy = `Nothing was made. Mend the file, or accept that by ${flags.join(' and ')}.`
  const lines = [...(count > 0 ? rejectedLines(result.rejected, count) : []), ...checkLines(failed)]
  const why = whyHeld({ outputs: accepts.checks ? [] : result.outputs, rejectedCount: count })
  throw new Held(
    `${why.replace(' and isn’t in the file', '').replace(' and aren’t in the file', '')}.`,
    remedy,
    lines,
    result,
  )
}

const PHASES = { convert: 'converting', shape: 'shaping', split: 'splitting', verify: 'comparing' } as const

function progressWords({ phase, bytes, totalBytes, rows, table, tables }: ConvertProgress): string {
  const which = tables > 1 ? ` table ${table + 1} of ${tables}` : ''
  return `${PHASES[phase]}${which}, ${shareOf(bytes, totalBytes)}${rowsOf(rows)}`
}

function doneLines(file: Named, converted: Converted, settings: Settings, io: Io): string {
  const { outputs, rejectedCount, rejectedFile } = converted
  const shown = (at: string): string => {
    const relative = path.relative(io.folder, at)
    return relative.startsWith('..') ? at : relative
  }
  const lines = outputs.map(({ path: at, size, receipts }) => {
    const rows = receipts.reduce((sum, { found }) => sum + found.rows, 0)
    const counted = receipts.length > 0 ? `${plural(rows, 'row')}, ` : ''
    return `${file.argument} → ${shown(at)}: ${counted}${formatBytes(size)}; read back, and the same`
  })
  const receipts = outputs.flatMap((output) => output.receipts)
  lines.push(...noteLines(receipts.flatMap(({ changes }) => changes)))
  lines.push(...noteLines(receipts.flatMap(({ notes }) => notes.filter(({ doubt }) => doubt === true))))
  if (rejectedFile) {
    const [are, they] = rejectedCount === 1 ? ['doesn’t', 'It’s'] : ['don’t', 'They’re']
    lines.push(`  ${plural(rejectedCount, 'row')} ${are} fit. ${they} in ${shown(rejectedFile.path)}.`)
  }
  lines.push(...checkLines(failedChecks(converted)))
  if (settings.receipt) lines.push(`  Receipt: ${shown(path.join(folderOf(file, settings), receiptName(file)))}`)
  return `${lines.join('\n')}\n`
}

export const convertCommand: Command = { summary: 'convert files to another format', help: HELP, run }
