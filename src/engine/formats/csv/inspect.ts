import { printSum } from '../../../lib/bytes.ts'
import type {
  CsvPlace,
  CsvSettings,
  InspectedColumn,
  InspectedTable,
  Inspection,
  Note,
  NumberStyle,
  Proposal,
  ReadSettings,
} from '../../../tables/plan.ts'
import { columnNames } from '../../../tables/names.ts'
import { blankColumnProposals, markedNameProposals, spacedName } from '../layout/name-proposals.ts'
import { named } from '../../../tables/settings.ts'
import { csvPatch } from '../../../tables/inspect-request.ts'
import { printType } from '../../../tables/types.ts'
import { inferTable } from '../../columns/infer/table.ts'
import { EngineError } from '../../errors.ts'
import { detectByBytes, guessNote, type FoundEncoding } from '../../io/encoding.ts'
import { fillProposals } from '../layout/group-labels.ts'
import { isUnits, unitsProposal } from '../layout/header-rows.ts'
import type { EngineContext } from '../types.ts'
import { detectSettings, type Detected } from './detection/detect.ts'
import { boundedBy, endingOf, type EndFindings } from './ending.ts'
import { MAX_REJECTED, Pass, type RestFindings, secondHalf } from './pass.ts'
import type { Form } from './detection/sample.ts'
import { blankRowsProposals, delimiterName, notesOf, repeatedHeadersProposals } from './notes.ts'
import { anyRows } from './any-rows.ts'
import { AS_ROWS, recordsAsRows, withRecordsOnly } from './records.ts'
import type { InspectedRows } from './inspected-rows.ts'
import { tablesProposal } from '../layout/blocks.ts'
import { tablesIn, type PlacedTable } from './tables.ts'
import { releaseCells, acquireCells } from '../../kernel/cell-memory.ts'

/**
 * Inspects a CSV file, reading all of it. Settings that aren't given are detected from the first 256 kB; types hold for
 * every row. The file is read once more if its rows contradict its beginning: in another encoding, if it began as UTF-8
 * but its bytes as a whole suggest another one; with the width of most rows; or split differently, if most rows would
 * be rejected.
 */
export async function inspectCsv(
  file: File,
  format: 'csv' | 'tsv',
  given: Partial<ReadSettings>,
  context: EngineContext,
): Promise<Inspection> {
  const own: Partial<CsvSettings> = !given.kind || given.kind === 'csv' ? (given as Partial<CsvSettings>) : {}
  if (own.layout === 'records') return inspectRecords(file, format, own, context)
  const reading = await readWhole(file, format, own, context)
  const inspection = await reading.inspection()
  const isProposed = (wanted: string): boolean => reading.detected.proposals.some(({ code }) => code === wanted)
  if (!own.blocks && isProposed('records')) return withRecordsOnly(inspection)
  if (!own.blocks && (isProposed('sections') || !reading.isUneven(inspection))) return inspection
  const tables = await tablesIn(file, reading.detected.settings, context.signal)
  if (tables.length < 2) return inspection
  if (own.blocks) return inspectTables(reading, inspection, tables, own)
  // Other proposals for reading assume that it's one table, which it may well be if the same header is above each.
  const [{ proposals = [], ...table }] = inspection.tables
  const isPaged = reading.pass.rows.repeated.count === tables.length - 1
  const placed = tables.map(({ name, place }) => ({ name, from: (place.skipLines ?? 0) + 1 }))
  const proposal = tablesProposal(placed, { whole: 'file', row: 'line' }, { kind: 'csv', blocks: true })
  // Titles that differ say what each is, such as the plate: they'd be lost if the tables were joined.
  const areTitled = new Set(tables.map(({ title }) => title)).size > 1
  const joined = proposals.map((each) => (areTitled ? { ...each, ambiguous: true } : each))
  return { ...inspection, tables: [{ ...table, proposals: isPaged ? joined : [] }], proposals: [proposal] }
}

/** Inspects `Key: value` records as the rows that they become. Settings about lines don't apply to these. */
async function inspectRecords(
  file: File,
  format: 'csv' | 'tsv',
  { layout, encoding: label, nullStrings, numbers }: Partial<CsvSettings>,
  context: EngineContext,
): Promise<Inspection> {
  const opening = label === undefined ? {} : { encoding: label }
  const { settings, encoding, notes: about } = await detectSettings(file, format, opening, context.signal)
  const { file: rows, notes } = await recordsAsRows(file, settings, context.signal)
  const kept = { ...(nullStrings ? { nullStrings } : {}), ...(numbers ? { numbers } : {}) }
  const inspection = await inspectCsv(rows, format, { kind: 'csv', ...AS_ROWS, ...kept }, context)
  return {
    ...inspection,
    settings: {
      ...inspection.settings,
      ...({ layout, encoding: settings.encoding, compression: settings.compression } as Partial<CsvSettings>),
    } as CsvSettings,
    notes: [...guessNote(encoding), ...about.filter(({ code }) => code === 'byte-order-mark'), ...notes],
    ...(inspection.encodings ? { encodings: encoding.candidates } : {}),
  }
}

/** Notes about how the file is read, whichever tables it has. */
const OF_FILE = new Set([
  'encoding-guess',
  'encoding-late',
  'byte-order-mark',
  'delimiter-guess',
  'separator-line',
  'trimmed',
  'comments',
  'blank-lines',
  'mixed-line-ends',
  'nul-bytes',
])

/** Reads each of a file's tables separately. */
async function inspectTables(
  whole: Reading,
  inspection: Inspection,
  places: readonly PlacedTable[],
  own: Partial<CsvSettings>,
): Promise<Inspection> {
  const { rowNames: _, ...all } = whole.detected.settings
  const base = { ...all, blocks: true, header: true, shortRows: own.shortRows ?? 'pad-data' } as const
  const tables: InspectedTable[] = []
  const complete: [string, CsvPlace][] = []
  for (const { name, place, notes } of places) {
    const set = { ...place, ...named(own.tables, name) }
    const settings: CsvSettings = { ...base, ...set }
    const ended = await boundedBy(whole.file, settings, named(own.tables, name), whole.context.signal)
    const reading = whole.ofTable(name, ended, named(own.tables, name)?.lastLine !== undefined)
    await reading.run()
    const found = await reading.inspection()
    const [table] = found.tables
    const ownNotes = found.notes.filter(({ code }) => !OF_FILE.has(code))
    tables.push({ ...table, name, notes: [...notes, ...ownNotes, ...table.notes] })
    const { lastLine, leaveOut } = ended
    complete.push([
      name,
      { ...set, ...(lastLine === undefined ? {} : { lastLine }), ...(leaveOut ? { leaveOut } : {}) },
    ])
  }
  return {
    ...inspection,
    settings: { ...base, tables: Object.fromEntries(complete) },
    tables,
    notes: inspection.notes.filter(({ code }) => OF_FILE.has(code)),
  }
}

async function readWhole(
  file: File,
  format: 'csv' | 'tsv',
  own: Partial<CsvSettings>,
  context: EngineContext,
): Promise<Reading> {
  // A person who moves the columns of a file detected as fixed-width doesn't set its layout.
  const wanted: Partial<CsvSettings> = own.columnStarts === undefined ? own : { layout: 'fixed', ...own }
  const readAgain = async (other: Detected): Promise<Reading> => {
    const second = new Reading(file, format, other, context)
    await second.run()
    return second
  }
  const detect = async (settings: Partial<CsvSettings>, known?: FoundEncoding): Promise<Detected> => {
    const found = await detectSettings(file, format, settings, context.signal, known)
    return { ...found, settings: await boundedBy(file, found.settings, settings, context.signal) }
  }
  let reading = new Reading(file, format, await detect(wanted), context)
  const lateLine = await reading.run()
  let { detected } = reading
  if (lateLine !== null) {
    const again = await detect(wanted, detected.encoding)
    const note: Note = {
      code: 'encoding-late',
      message: `The file isn’t UTF-8, which shows only in line ${lateLine.toLocaleString('en-US')}: it is read as ${detected.encoding.candidates[0].label}.`,
    }
    detected = { ...again, notes: [...again.notes, note] }
    reading = await readAgain(detected)
  }
  const width =
    wanted.width === undefined && detected.isOneTable ? widthByAll(reading.pass.rows, detected.settings) : null
  if (width !== null) reading = await readAgain({ ...detected, settings: { ...detected.settings, width } })
  if (
    reading.misfits.rejected <= MOST ||
    !detected.isOneTable ||
    wanted.delimiter !== undefined ||
    wanted.layout !== undefined
  ) {
    return reading
  }
  let best = reading
  for (const form of detected.others.slice(0, MAX_TRIED)) {
    const other = await detect({ ...wanted, ...form }, detected.encoding)
    const second = await readAgain({
      ...other,
      notes: [...other.notes, triedNote(detected.settings, form, reading.misfits.rejected)],
    })
    if (second.misfits.all < best.misfits.all / 2) best = second
  }
  return best
}

/** Says that another way to split the file was tried first. */
function triedNote({ delimiter }: CsvSettings, form: Form, rejected: number): Note {
  const message = `Split at ${delimiterName(delimiter)}, ${Math.round(rejected * 100)} % of the rows don’t fit: so it is split at ${delimiterName(form.delimiter)}.`
  return { code: 'other-delimiter', message, doubt: true }
}

/** The table's width according to all rows, if that is more than its beginning suggested. */
function widthByAll(rows: InspectedRows, { longRows }: CsvSettings): number | null {
  const wider = [...rows.otherWidths].filter(([width]) => width > rows.width)
  if (wider.length === 0) return null
  const widest = Math.max(...wider.map(([width]) => width))
  // A column without a name or values at the beginning has some further down.
  if (longRows === 'keep' || widest <= rows.headerFields) return widest
  const [width, count] = wider.reduce((most, each) => (each[1] > most[1] ? each : most))
  return count * 2 > rows.rows ? width : null
}

/** If more than this share of rows is rejected, other ways to read the file are tried. */
const MOST = 0.5
/** Maximum number of other ways to try. */
const MAX_TRIED = 3

/** One pass over the whole file. */
class Reading {
  readonly file: File
  readonly context: EngineContext
  private readonly format: 'csv' | 'tsv'
  private readonly settings: CsvSettings
  /** Which of several tables in the file; null if it's the only one. */
  private readonly table: string | null
  /** Whether the person set the last line itself, not the number of rows to leave out. */
  private readonly endIsSet: boolean
  readonly pass: Pass
  /** How the file is read. The encoding is detected again if invalid UTF-8 occurs. */
  detected: Detected
  /** This thread's share of the work. */
  private share = 1

  constructor(
    file: File,
    format: 'csv' | 'tsv',
    detected: Detected,
    context: EngineContext,
    table: { readonly name: string; readonly endIsSet: boolean } | null = null,
  ) {
    this.file = file
    this.format = format
    this.table = table?.name ?? null
    const { skipLast = 0, lastLine } = detected.settings
    this.endIsSet = table?.endIsSet ?? (skipLast === 0 && lastLine !== undefined)
    this.detected = detected
    this.settings = detected.settings
    this.context = context
    const read = anyRows(this.settings, { keep: MAX_REJECTED, cells: acquireCells() })
    this.pass = new Pass(read, this.settings, {
      signal: context.signal,
      progress: ({ bytes, rows }) =>
        context.progress({ bytes: bytes / this.share, rows: Math.round(rows / this.share) }),
    })
  }

  /** A single-threaded reading of one of the file's tables. */
  ofTable(name: string, settings: CsvSettings, endIsSet: boolean): Reading {
    const { file, format, detected } = this
    const { startHelper: _, ...context } = this.context
    const table = { name, endIsSet }
    return new Reading(file, format, { ...detected, settings, notes: [], proposals: [], certain: true }, context, table)
  }

  /** Whether the file has blank lines and rows of unusual width, so that it may contain several tables. */
  isUneven({ tables: [{ columns }] }: Inspection): boolean {
    const { rows, blankLines } = this.pass
    const hasBlank = blankLines > 0 || columns.every(({ nulls }) => nulls > 0)
    const isOdd = rows.rejectedCount > 0 || this.pass.adjustments.padded.count > 0
    return hasBlank && rows.width > 1 && (isOdd || columns.some(({ flags }) => flags.includes('mixed-types')))
  }

  /** Returns the line of the first invalid UTF-8 if the text is in another encoding. */
  async run(): Promise<number | null> {
    const { file, context, pass } = this
    const half = context.startHelper ? await secondHalf(file, this.settings) : null
    const late = half === null ? await this.take(file) : await this.inHalves(half)
    if (late !== null) return late
    pass.end()
    context.progress({ bytes: file.size, rows: pass.rows.rows })
    return null
  }

  /** Lets another thread read the second half, unless that turns out to begin inside a record. */
  private async inHalves(half: number): Promise<number | null> {
    const { file, context, pass } = this
    const helper = context.startHelper?.()
    try {
      // If the thread fails, the half is read here.
      const found = helper?.inspectRest(this.format, file, this.settings, half).catch(() => null)
      this.share = half / file.size
      const late = await this.take(file.slice(0, half))
      if (late !== null) return late
      // Names of groups go on below.
      const rest =
        pass.rows.isBetween && !pass.groups.isLooking ? ((await found) as RestFindings | null | undefined) : null
      context.signal.throwIfAborted()
      this.share = 1
      if (!rest) return await this.take(file.slice(half))
      pass.merge(rest)
      return null
    } finally {
      helper?.end()
    }
  }

  private async take(part: Blob): Promise<number | null> {
    const { file, context, settings } = this
    const { rows } = this.pass
    const { utf8 } = rows.tokenizer
    const slice = await this.pass.run(part, async () => {
      if (this.detected.certain || utf8.allValid) return false
      const encoding = await detectByBytes(file, { compression: settings.compression, signal: context.signal })
      this.detected = { ...this.detected, encoding, certain: true }
      return encoding.candidates[0].encoding !== 'utf-8'
    })
    if (!slice) return null
    while (utf8.firstLine === 0 && rows.next());
    return utf8.firstLine || 1
  }

  /**
   * Shares of the rows that are rejected, and that are rejected or padded. A better way to split the file has less of
   * both.
   */
  get misfits(): { readonly rejected: number; readonly all: number } {
    const { rows, adjustments } = this.pass
    const rejected = rows.rejectedCount / Math.max(rows.rows, 1)
    return { rejected, all: rejected + adjustments.padded.count / Math.max(rows.rows, 1) }
  }

  /** Creates the inspection, and passes the memory on to the next reading. */
  async inspection(): Promise<Inspection> {
    const { detected } = this
    const { rows } = this.pass
    if (rows.width < 0) {
      throw new EngineError('empty-file', `“${this.file.name}” has no rows.`, {
        remedy: 'Check that the export or download that made it was finished.',
      })
    }
    const { columns, numbers } = this.columns()
    const ending = await this.ending(columns)
    const proposals = [
      ...this.unitsProposals(),
      ...ending.proposals,
      ...repeatedHeadersProposals(this.pass, this.settings),
      ...blankRowsProposals(this.pass),
      ...detected.proposals,
    ]
    releaseCells(rows.tokenizer.cells)
    return {
      format: this.format,
      settings: numbers ? { ...this.settings, numbers } : this.settings,
      tables: [
        {
          name: null,
          columns,
          rows: rows.rows - rows.rejectedCount,
          rejectedCount: rows.rejectedCount,
          rejected: this.pass.rejected.rows,
          notes: [...ending.notes, ...columns.flatMap(({ name }) => spacedName(name)?.note ?? [])],
          ...(proposals.length > 0 ? { proposals } : {}),
        },
      ],
      notes: [...guessNote(detected.encoding), ...detected.notes, ...notesOf(this.pass, this.settings)],
      encodings: detected.encoding.candidates,
    }
  }

  /** Proposes to leave out units of measure below the names. */
  private unitsProposals(): Proposal[] {
    const { headerTexts, headerLines } = this.pass.rows
    const units = headerTexts.at(-1) ?? []
    if (headerTexts.length < 2 || !isUnits(units)) return []
    const { leaveOut = [] } = this.settings
    const line = headerLines.at(-1) ?? 0
    return [
      unitsProposal(
        units,
        this.patch({ header: true, headerRows: headerTexts.length - 1, leaveOut: [...leaveOut, line] }),
      ),
    ]
  }

  private ending(columns: readonly InspectedColumn[]): Promise<EndFindings> {
    const { file, settings, endIsSet, context } = this
    return endingOf(this.pass, columns, { file, settings, endIsSet, signal: context.signal }, (place) =>
      this.patch(place),
    )
  }

  private patch(place: CsvPlace): Partial<CsvSettings> {
    return { kind: 'csv', ...csvPatch(this.table, place) }
  }

  private columns(): { columns: InspectedColumn[]; numbers?: NumberStyle } {
    const { header } = this.pass.rows
    const { inferences } = this.pass
    const sums = this.pass.sums.found
    const groups = this.pass.groups.found
    const sources = header ?? inferences.map(() => '')
    const { rowNames } = this.settings
    const unnamed = (i: number): string => (rowNames && i === 0 ? 'row_name' : `column_${i + 1}`)
    const names = columnNames(sources, (i) => this.detected.names?.[i] ?? unnamed(i))
    const { columns: concluded, numbers } = inferTable(inferences, this.settings, names)
    const columns = concluded.map((conclusion, index) => {
      const { type, reason, flags, nulls, format, rewritten, likely } = conclusion
      const spaced = spacedName(names[index])
      const proposals = [
        ...(conclusion.proposals ?? []),
        ...(spaced ? [spaced.proposal] : markedNameProposals(names, index)),
        ...blankColumnProposals(header === null ? null : sources[index], flags),
        ...fillProposals(groups, index, { name: names[index], type: printType(type), format }),
      ]
      const renamed = header !== null && names[index] !== sources[index]
      return {
        index,
        source: sources[index],
        name: names[index],
        type: printType(type),
        reason,
        flags: renamed ? [...flags, 'renamed' as const] : flags,
        nulls,
        ...(format ? { format } : {}),
        ...(likely ? { likely } : {}),
        ...(proposals.length > 0 ? { proposals } : {}),
        ...(rewritten.text.count > 0 ? { rewritten: rewritten.text } : {}),
        ...(rewritten.json.count > 0 ? { rewrittenInJson: rewritten.json } : {}),
        checksum: printSum(sums?.[index] ?? 0n),
      }
    })
    return { columns, ...(numbers ? { numbers } : {}) }
  }
}
