import type {
  Flattened,
  InspectedTable,
  Inspection,
  JsonList,
  JsonSettings,
  Note,
  ReadSettings,
} from '../../../tables/plan.ts'
import { type Unfolding, unfolds } from '../../../tables/settings.ts'
import { unfoldPatch } from '../../../tables/inspect-request.ts'
import { concatBytes } from '../../../lib/bytes.ts'
import { formatCount, plural } from '../../../lib/counts.ts'
import { shortened } from '../../../lib/text.ts'
import { parseType } from '../../../tables/types.ts'
import { columnNames } from '../../../tables/names.ts'
import { encodingName } from '../../../tables/encodings.ts'
import { EngineError } from '../../errors.ts'
import { compressionOf } from '../../io/compression.ts'
import { detectByBytes, encodingOfStart } from '../../io/encoding.ts'
import { readBytes } from '../../io/read-bytes.ts'
import { openText } from '../../io/text-stream.ts'
import type { EngineContext, InspectionHelper } from '../types.ts'
import { TableStats, TooManyKeys, type RestFindings } from './table-stats.ts'
import { BULK } from './bulk.ts'
import { RowsHaveKeys } from './columns.ts'
import { detectLayout, type Layout } from './layout.ts'
import { openFile, type OpenFile } from './open.ts'
import { secondHalf } from './second-half.ts'
import { countLines } from '../../io/lines.ts'
import { readSample } from '../../io/sample.ts'

const SAMPLE = 1024 * 1024

interface Detected {
  readonly settings: JsonSettings
  readonly names: readonly string[] | null
  readonly notes: readonly Note[]
  readonly lists: readonly JsonList[]
}

/** Detects settings that aren't given from the file's beginning. */
async function detectSettings(file: File, given: Partial<JsonSettings>, signal: AbortSignal): Promise<Detected> {
  const head = await readBytes(file, 0, 16)
  const compression = given.compression === undefined ? compressionOf(head) : given.compression
  const start = await readSample(file, { compression, size: 64 * 1024, signal })
  // The JSON standard requires UTF-8, or in older versions another encoding of Unicode.
  const known = given.encoding ?? encodingOfStart(start)
  const encoding = known ?? 'utf-8'
  const { sample, complete } = await beginning(file, { compression, encoding, signal })
  const found = detectLayout(sample, complete, file.name)
  // Detected settings apply only to the detected layout.
  const open: Partial<Layout> = given.layout === undefined || given.layout === found.layout ? found : {}
  const rows = given.rows ?? open.rows ?? 'objects'
  const within = given.within ?? (given.path === undefined ? open.within : undefined)
  const settings: JsonSettings = {
    kind: 'json',
    compression,
    encoding,
    layout: given.layout ?? found.layout,
    path: given.path ?? open.path ?? [],
    ...(within ? { within } : {}),
    rows,
    ...(rows === 'arrays' ? { header: given.header ?? open.header ?? false } : {}),
    ...(given.keys ? { keys: given.keys } : {}),
    ...(given.unfold && given.unfold.length > 0 ? { unfold: given.unfold } : {}),
    ...(given.rowKeys === undefined ? {} : { rowKeys: given.rowKeys }),
  }
  const asFound = settings.path.join('\0') === found.path.join('\0') && settings.layout === found.layout
  if (known === null) await refuseOtherEncoding(file, settings, signal)
  return {
    settings,
    names: (asFound && found.names) || null,
    notes: asFound ? found.notes : settings.layout === 'bulk' ? [BULK] : [],
    lists: found.lists ?? [],
  }
}

/**
 * Stops reading if a file that should be UTF-8 is in another encoding. Damaged bytes in UTF-8 cost only their rows, and
 * in line formats each line is checked separately.
 * @throws {EngineError} `not-text`
 */
async function refuseOtherEncoding(file: File, settings: JsonSettings, signal: AbortSignal): Promise<void> {
  if (settings.encoding !== 'utf-8' || settings.layout === 'lines' || settings.layout === 'bulk') return
  const { candidates, badByte } = await detectByBytes(file, { compression: settings.compression, signal })
  const [{ encoding }] = candidates
  if (encoding === 'utf-8') return
  const byte = `byte ${(badByte + 1).toLocaleString('en-US')}`
  const line = settings.compression ? null : (await countLines(file, 0, badByte)) + 1
  throw new EngineError('not-text', `“${file.name}” isn’t UTF-8, and JSON has to be UTF-8, UTF-16 or UTF-32.`, {
    place: line === null ? `${byte} of the unpacked text` : `line ${line.toLocaleString('en-US')}, ${byte}`,
    remedy: `It looks like ${encodingName(encoding)}: save it as UTF-8 in a text editor, or have the program that made it write UTF-8.`,
  })
}

/** The first characters of the text, followed by a 0. */
async function beginning(
  file: File,
  options: {
    readonly compression: JsonSettings['compression']
    readonly encoding: string
    readonly signal: AbortSignal
  },
): Promise<{ sample: Uint8Array; complete: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  let complete = true
  for await (const chunk of openText(file, options)) {
    // One character more than wanted shows that the text goes on.
    if (size > SAMPLE) {
      complete = false
      break
    }
    parts.push(chunk)
    size += chunk.length
  }
  return { sample: concatBytes([...parts, new Uint8Array(1)]), complete }
}

/**
 * Inspects a JSON file in one pass: its layout, its columns (the union of all rows' keys, in order of appearance), and
 * types that hold for all rows.
 * @throws {EngineError} `corrupt-file` with line and column, `empty-file`, `too-large`
 */
export async function inspect(file: File, given: Partial<ReadSettings>, context: EngineContext): Promise<Inspection> {
  const own = given.kind === undefined || given.kind === 'json' ? (given as Partial<JsonSettings>) : {}
  const { settings, names, notes, lists } = await detectSettings(file, own, context.signal)
  const read = async (used: JsonSettings, noted: readonly Note[]): Promise<Found> => {
    const reading = new Reading(file, used, context)
    const stats = await reading.run()
    const found = stats.table(used, reading.names ?? names, [...noted, ...reading.notes])
    const table = reading.flattened.length > 0 ? { ...found, flattened: reading.flattened } : found
    const isDamaged = table.rejected.some(({ reason }) => reason === 'encoding')
    if (isDamaged && own.encoding === undefined) await refuseOtherEncoding(file, used, context.signal)
    return { settings: used, table }
  }
  const readAll = async (used: JsonSettings, noted: readonly Note[]): Promise<Found> => {
    try {
      return await read(used, noted)
    } catch (error) {
      if (error instanceof TooManyKeys) return read({ ...used, keys: error.keys }, noted)
      if (error instanceof RowsHaveKeys) return readAll({ ...used, rowKeys: true }, noted)
      throw error
    }
  }
  const places = Object.entries(own.tables ?? {})
  const listed = lists.length > 1 ? { lists } : {}
  if (places.length === 0) {
    const { settings: used, table: found } = await readAll(settings, notes)
    const table = { ...found, ...envelopeProposal(found, used, null) }
    return {
      format: 'json',
      settings: used,
      tables: [table],
      notes: [],
      ...listed,
      ...(lists.length === 1 ? onlyListProposal(lists[0], used, table) : listsProposal(lists)),
    }
  }
  const tables: InspectedTable[] = []
  const complete: [string, JsonPlace][] = []
  for (const [name, place] of places) {
    const { settings: used, table } = await readAll({ ...settings, within: [], rows: 'objects', ...place }, [])
    tables.push({ ...table, name, ...envelopeProposal(table, used, name) })
    complete.push([name, used.keys ? { ...place, keys: used.keys } : place])
  }
  return {
    format: 'json',
    settings: { ...settings, tables: Object.fromEntries(complete) },
    tables,
    notes: [],
    ...listed,
  }
}

/** Formats whose rows keep their data in one member: how to recognize them by their columns, and their name. */
const ENVELOPES = [
  { object: 'properties', beside: ['type', 'geometry'], rows: 'the features of GeoJSON: each of their properties' },
  { object: 'attributes', beside: ['type', 'id'], rows: 'resources of JSON:API: each of their attributes' },
  { object: '_source', beside: ['_index', '_id'], rows: 'hits of Elasticsearch: each key of their documents' },
] as const

/** Proposes to make columns of the keys in the object with the rows' data. */
function envelopeProposal(
  { columns }: InspectedTable,
  settings: JsonSettings,
  table: string | null,
): Pick<InspectedTable, 'proposals'> {
  const typeOf = (source: string): string => columns.find((column) => column.source === source)?.type ?? ''
  const found = ENVELOPES.find(
    ({ object, beside: [name, other] }) =>
      typeOf(name) === 'VARCHAR' && typeOf(other) !== '' && typeOf(object).startsWith('STRUCT('),
  )
  if (!unfolds(settings)) return {}
  if (!found) return wrappedProposal(columns, settings, table)
  const { object, rows } = found
  const unfold: readonly Unfolding[] = [...(settings.unfold ?? []), { column: object, as: 'columns' }]
  const message = `The rows are ${rows} can be a column.`
  const change = { kind: 'reading', settings: unfoldPatch(table, unfold) } as const
  return { proposals: [{ code: 'rows-in-objects', label: `Apply: ${object} as columns`, message, change }] }
}

/** Whether each value is an object with its type as the only key, such as `{"$oid": "65a1…"}`. */
function isWrapped(printed: string): boolean {
  const type = printed.startsWith('STRUCT(') ? parseType(printed) : null
  return type?.kind === 'struct' && type.fields.length === 1 && type.fields[0].name.startsWith('$')
}

/** Proposes to read plain values where MongoDB writes an object with a value's type around each. */
function wrappedProposal(
  columns: InspectedTable['columns'],
  settings: JsonSettings,
  table: string | null,
): Pick<InspectedTable, 'proposals'> {
  const wrapped = columns.flatMap(({ source, type }) => (source !== null && isWrapped(type) ? [source] : []))
  if (wrapped.length === 0) return {}
  const unfold = [...(settings.unfold ?? []), ...wrapped.map((column) => ({ column, as: 'columns' }) as const)]
  const what = plural(wrapped.length, 'column')
  const shown = shortened(wrapped.join(', '), SHOWN)
  const message = `${what} (${shown}) ${wrapped.length === 1 ? 'has' : 'have'} an object around each value that says its type, as MongoDB writes them.`
  const change = { kind: 'reading', settings: unfoldPatch(table, unfold) } as const
  return { proposals: [{ code: 'wrapped-values', label: `Apply: plain values in ${what}`, message, change }] }
}

interface Found {
  readonly settings: JsonSettings
  readonly table: InspectedTable
}

type JsonPlace = NonNullable<JsonSettings['tables']>[string]

/** Longest list of columns in a message. */
const SHOWN = 80
/** A file with more lists than this isn't a set of tables. */
const MAX_TABLES = 20

/** Proposes to read the only list in a single row as rows, such as the points of a track; only the person knows. */
function onlyListProposal(
  { path, items, whole }: JsonList,
  used: JsonSettings,
  { rows }: InspectedTable,
): Pick<Inspection, 'proposals'> {
  if (rows !== 1 || used.path.length > 0 || used.layout !== 'array' || items < 2) return {}
  const name = path.at(-1) ?? ''
  const message = `The file is a single row, with a list in it: “${name}” (${formatCount(items)}${whole ? '' : '+'}). Each of its elements can be a row; what is beside it would not be read.`
  const change = { kind: 'reading', settings: { kind: 'json', path } } as const
  return {
    proposals: [{ code: 'list-as-rows', label: `Apply: read “${name}” as rows`, message, ambiguous: true, change }],
  }
}

/** Proposes to read each of several lists as a table; only the person knows whether they are. */
function listsProposal(lists: readonly JsonList[]): Pick<Inspection, 'proposals'> {
  if (lists.length < 2 || lists.length > MAX_TABLES) return {}
  const names = columnNames(lists.map(({ path }) => path.at(-1) ?? ''))
  const tables = Object.fromEntries(lists.map(({ path }, i) => [names[i] ?? '', { path }]))
  const shown = lists
    .slice(0, 4)
    .map(({ items, whole }, i) => `“${names[i]}” (${formatCount(items)}${whole ? '' : '+'})`)
  const message = `The file has ${formatCount(lists.length)} lists: ${shown.join(', ')}${lists.length > 4 ? ', …' : ''}. Each can be a table.`
  const label = `Apply: read ${formatCount(lists.length)} lists as tables`
  const change = { kind: 'reading', settings: { kind: 'json', tables } } as const
  return { proposals: [{ code: 'several-lists', label, message, count: lists.length, ambiguous: true, change }] }
}

/** One pass over the whole file. */
class Reading {
  /** Column names from the first row. */
  names: readonly string[] | null = null
  /** Notes about how rows were transformed. */
  notes: readonly Note[] = []
  flattened: readonly Flattened[] = []
  private readonly file: File
  private readonly settings: JsonSettings
  private readonly context: EngineContext
  /** This thread's share of the work. */
  private share = 1

  constructor(file: File, settings: JsonSettings, context: EngineContext) {
    this.file = file
    this.settings = settings
    this.context = {
      ...context,
      progress: ({ bytes, rows }) =>
        context.progress({ bytes: bytes / this.share, rows: Math.round(rows / this.share) }),
    }
  }

  async run(): Promise<TableStats> {
    const { file, settings, context } = this
    const isWhole = !context.startHelper || settings.unfold !== undefined
    const half = isWhole ? null : await secondHalf(file, settings, context)
    const open = openFile(file, settings, context, half ?? undefined)
    try {
      const stats = new TableStats(open)
      await open.begin()
      this.names = open.names
      const helper = half === null ? null : context.startHelper?.()
      if (half !== null && helper) await this.inHalves(open, stats, half, helper)
      else await stats.run(open)
      this.notes = open.unfolder?.notes ?? []
      this.flattened = open.unfolder?.flattenedColumns ?? []
      context.progress({ bytes: file.size, rows: stats.count })
      return stats
    } finally {
      await open.close()
    }
  }

  /** Lets another thread read the second half, unless that turns out to begin inside a row. */
  private async inHalves(open: OpenFile, stats: TableStats, half: number, helper: InspectionHelper): Promise<void> {
    try {
      // If the thread fails, the half is read here.
      const found = helper.inspectRest('json', this.file, this.settings, half).catch(() => null)
      this.share = half / this.file.size
      await stats.run(open)
      if (!open.atCut) return
      const rest = open.rows.between ? ((await found) as RestFindings | null) : null
      this.context.signal.throwIfAborted()
      this.share = 1
      if (rest && stats.canMerge(rest)) stats.merge(rest)
      else {
        await open.more()
        await stats.run(open)
      }
    } finally {
      helper.end()
    }
  }
}
