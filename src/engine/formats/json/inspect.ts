import type {
  EncodingCandidate, InspectedColumn, InspectedTable, Inspection, JsonSettings, Note, ReadSettings, RejectedRow,
} from '../../../tables/plan.ts' // prettier-ignore
import { printType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { detectEncoding, findInvalidUtf8, isGzip, openText, readSample } from '../../io/text-stream.ts'
import type { EngineContext } from '../types.ts'
import { conclude } from './conclude.ts'
import { detectLayout, type Layout } from './layout.ts'
import { OpenFile } from './open.ts'
import { STEP, type RowSource } from './rows.ts'
import { ValueStats, Walker } from './stats.ts'
import { MAX_COLUMNS } from './tokens.ts'

const SAMPLE = 1024 * 1024
const SHOWN = 100

interface Detected {
  readonly settings: JsonSettings
  readonly encodings: readonly EncodingCandidate[]
  readonly names: readonly string[] | null
  readonly notes: readonly Note[]
}

/** The settings that given ones leave open, found in the file's beginning. */
export async function detectSettings(file: File, given: Partial<JsonSettings>, signal: AbortSignal): Promise<Detected> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  const compression = given.compression === undefined ? (isGzip(head) ? 'gzip' : null) : given.compression
  const start = await readSample(file, { compression, size: 64 * 1024, signal })
  // JSON is UTF-8 by its standard: where it is, how likely the others are isn't worth the time that it takes.
  const invalid = findInvalidUtf8(start, 0, start.length)
  const encodings = detectEncoding(invalid < 0 || invalid > start.length - 4 ? start.subarray(0, 2048) : start)
  const encoding = given.encoding ?? encodings[0]?.encoding ?? 'utf-8'
  const { sample, complete } = await beginning(file, { compression, encoding, signal })
  const found = detectLayout(sample, complete, file.name)
  // What was found goes with the layout that was found.
  const open: Partial<Layout> = given.layout === undefined || given.layout === found.layout ? found : {}
  const rows = given.rows ?? open.rows ?? 'objects'
  const settings: JsonSettings = {
    kind: 'json',
    compression,
    encoding,
    layout: given.layout ?? found.layout,
    path: given.path ?? open.path ?? [],
    rows,
    ...(rows === 'arrays' ? { header: given.header ?? open.header ?? false } : {}),
  }
  const asFound = settings.path.join('\0') === found.path.join('\0') && settings.layout === found.layout
  return { settings, encodings, names: (asFound && found.names) || null, notes: asFound ? found.notes : [] }
}

/** The first characters of the text, followed by a 0. */
async function beginning(
  file: File,
  options: { readonly compression: 'gzip' | null; readonly encoding: string; readonly signal: AbortSignal },
): Promise<{ sample: Uint8Array; complete: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  let complete = true
  for await (const chunk of openText(file, options)) {
    // One more than wanted tells that there is more.
    if (size > SAMPLE) {
      complete = false
      break
    }
    parts.push(chunk)
    size += chunk.length
  }
  const sample = new Uint8Array(size + 1)
  let at = 0
  for (const part of parts) {
    sample.set(part, at)
    at += part.length
  }
  return { sample, complete }
}

/**
 * Reads a JSON file once: its layout, its columns (the union of all rows' keys, in the order in which they come) and
 * their types over all rows.
 * @throws {EngineError} `corrupt-file` with line and column, `empty-file`, `too-large`
 */
export async function inspect(file: File, given: Partial<ReadSettings>, context: EngineContext): Promise<Inspection> {
  const own = given.kind === undefined || given.kind === 'json' ? (given as Partial<JsonSettings>) : {}
  const { settings, encodings, names, notes } = await detectSettings(file, own, context.signal)
  const open = new OpenFile(file, settings, context)
  try {
    const census = new Census(open.rows)
    await open.begin()
    for (;;) {
      const step = open.rows.next()
      if (step === STEP.row) {
        census.take()
        if ((open.rows.count & 1023) === 0) await open.breathe()
      } else if (step === STEP.rejected) census.reject()
      else if (step === STEP.more) await open.more()
      else break
    }
    context.progress({ bytes: open.bytes, rows: open.rows.count })
    const table = census.table(settings, open.names ?? names, notes)
    return { format: 'json', settings, tables: [table], notes: [], encodings }
  } finally {
    await open.close()
  }
}

/** What all rows come to. */
class Census {
  private readonly rows: RowSource
  private readonly walker: Walker
  private readonly stats: ValueStats[] = []
  private taken = 0
  private rejectedCount = 0
  private readonly rejected: RejectedRow[] = []

  constructor(rows: RowSource) {
    this.rows = rows
    this.walker = new Walker(rows.tokens.scanner)
  }

  take(): void {
    const { tokens, count: row } = this.rows
    const { present, count, kinds, starts, ends } = tokens
    this.taken++
    for (let i = 0; i < count; i++) {
      const column = present[i]
      while (column >= this.stats.length) this.grow()
      this.walker.observe(this.stats[column], kinds[column], starts[column], ends[column], row)
    }
  }

  private grow(): void {
    if (this.stats.length >= MAX_COLUMNS - 1) {
      throw new EngineError(
        'too-large',
        `The objects have more than ${MAX_COLUMNS.toLocaleString('en-US')} different keys.`,
        {
          remedy: 'A table can’t have so many columns. Write the keys as values: {"key": ..., "value": ...}.',
        },
      )
    }
    this.stats.push(new ValueStats())
  }

  reject(): void {
    this.rejectedCount++
    if (this.rejected.length < SHOWN) this.rejected.push(this.rows.rejection())
  }

  table(settings: JsonSettings, header: readonly string[] | null, found: readonly Note[]): InspectedTable {
    this.refuseEmpty()
    const { keys } = this.rows.tokens
    const { rows: shape } = settings
    const known = settings.layout === 'columns' ? keys.size : (header?.length ?? 0)
    while (this.stats.length < known) this.grow()
    const name = (index: number): string =>
      shape === 'values' ? 'value' : shape === 'arrays' ? (header?.[index] ?? '') : keys.name(index)
    const used = new Set<string>()
    const sources = this.stats.map((_, index) => name(index))
    const columns = this.stats.map((stats, index) => this.column(stats, index, sources[index], used))
    return {
      name: null,
      columns,
      rows: this.taken,
      rejectedCount: this.rejectedCount,
      rejected: this.rejected,
      notes: [...found, ...this.notes()],
    }
  }

  private column(stats: ValueStats, index: number, source: string, used: Set<string>): InspectedColumn {
    const { type, reason, flags } = conclude(stats)
    const name = properName(source, index, used)
    used.add(name)
    return {
      index,
      source,
      name,
      type: printType(type),
      reason,
      flags: name === source ? flags : [...flags, 'renamed'],
      nulls: this.taken - stats.count,
    }
  }

  private refuseEmpty(): void {
    if (this.stats.length > 0 || this.rows.tokens.keys.size > 0) return
    const [first] = this.rejected
    if (first) {
      throw new EngineError('corrupt-file', `No row of the file can be read. ${first.message}`, {
        ...(first.line === null ? {} : { place: `line ${first.line.toLocaleString('en-US')}` }),
        remedy: 'Mend the file, or write it again with the program that made it.',
        details: { rejected: this.rejected },
      })
    }
    const what = this.taken > 0 ? 'its rows are empty objects' : 'it has no rows'
    throw new EngineError('empty-file', `There is no table in the file: ${what}.`, {
      remedy: 'Check that the export that made it was finished.',
    })
  }

  private notes(): Note[] {
    const count = this.rows.tokens.duplicates + this.walker.duplicates
    if (count === 0) return []
    return [{ code: 'duplicate-keys', message: 'Some objects have a key twice; the last value counts.', count }]
  }
}

/** The name itself, or where it's empty or taken, one like it. */
function properName(source: string, index: number, used: ReadonlySet<string>): string {
  const base = source === '' ? `column${index + 1}` : source
  let name = base
  for (let n = 2; used.has(name); n++) name = `${base}_${n}`
  return name
}
