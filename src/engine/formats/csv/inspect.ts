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
import { csvPatch, named } from '../../../tables/settings.ts'
import { printType } from '../../../tables/types.ts'
import { inferTable } from '../../columns/infer/table.ts'
import { EngineError } from '../../errors.ts'
import { detectByBytes, guessNote, type FoundEncoding } from '../../io/encoding.ts'
import { isUnits, unitsProposal } from '../layout/header-rows.ts'
import type { EngineContext } from '../types.ts'
import { detectSettings, type Detected } from './detection/detect.ts'
import { boundedBy, endingOf, type EndFindings } from './ending.ts'
import { MAX_REJECTED, Pass, type RestFindings, secondHalf } from './pass.ts'
import type { Form } from './detection/sample.ts'
import { blankRowsProposals, delimiterName, notesOf, repeatedHeadersProposals } from './notes.ts'
import { CsvRows } from './rows.ts'
import { tablesProposal } from '../layout/blocks.ts'
import { tablesIn, type PlacedTable } from './tables.ts'
import { releaseCells, acquireCells } from '../../kernel/cell-memory.ts'
import { printSum } from '../../kernel/text-sums.ts'

/**
 * Reads a CSV file once, from its first byte to its last, and says what is in it. What isn't given is detected from the
 * first 256 kB; types hold for every row.
 *
 * It is read once more where its rows say otherwise than its beginning: in another encoding, when it began as UTF-8 and
 * all of its bytes speak for that one; with the width that most rows have; split otherwise, when most rows would be
 * rejected.
 */
export async function inspectCsv(
  file: File,
  format: 'csv' | 'tsv',
  given: Partial<ReadSettings>,
  context: EngineContext,
): Promise<Inspection> {
  const own: Partial<CsvSettings> = !given.kind || given.kind === 'csv' ? (given as Partial<CsvSettings>) : {}
  const reading = await readWhole(file, format, own, context)
  const inspection = await reading.inspection()
  if (!own.blocks && !reading.isUneven(inspection)) return inspection
  const tables = await tablesIn(file, reading.detected.settings, context.signal)
  if (tables.length < 2) return inspection
  if (own.blocks) return inspectTables(reading, inspection, tables, own)
  // What else is proposed of the reading takes it for one table.
  const [table] = inspection.tables
  const placed = tables.map(({ name, place }) => ({ name, from: (place.skipLines ?? 0) + 1 }))
  const proposal = tablesProposal(placed, { whole: 'file', row: 'line' }, { kind: 'csv', blocks: true })
  return { ...inspection, tables: [{ ...table, proposals: [] }], proposals: [proposal] }
}

/** Notes that say how a file is read, whatever the tables in it. */
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

/** Reads each of a file's tables by itself. */
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
  // Who moves the columns of a file that was found to be of a fixed width says nothing of its layout.
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

/** That another way to split the file was tried first. */
function triedNote({ delimiter }: CsvSettings, form: Form, rejected: number): Note {
  const message = `Split at ${delimiterName(delimiter)}, ${Math.round(rejected * 100)} % of the rows don’t fit: so it is split at ${delimiterName(form.delimiter)}.`
  return { code: 'other-delimiter', message, doubt: true }
}

/** How wide the table is by all of its rows, where that is wider than its beginning said. */
function widthByAll(rows: CsvRows, { longRows }: CsvSettings): number | null {
  const wider = [...rows.otherWidths].filter(([width]) => width > rows.width)
  if (wider.length === 0) return null
  const widest = Math.max(...wider.map(([width]) => width))
  // A column without a name, and without values at the beginning, has some further down.
  if (longRows === 'keep' || widest <= rows.headerFields) return widest
  const [width, count] = wider.reduce((most, each) => (each[1] > most[1] ? each : most))
  return count * 2 > rows.rows ? width : null
}

/** A reading in which more rows than this part are rejected isn't the best one. */
const MOST = 0.5
/** So many other ways to split the file are tried. */
const MAX_TRIED = 3

/** One reading of the whole file. */
class Reading {
  readonly file: File
  readonly context: EngineContext
  private readonly format: 'csv' | 'tsv'
  private readonly settings: CsvSettings
  /** Which of several tables in the file; null where it's one. */
  private readonly table: string | null
  /** Whether the person said which line is the last one, rather than how many rows go. */
  private readonly endIsSet: boolean
  readonly pass: Pass
  /** What it's read by; its encoding is detected again when bytes come that aren't UTF-8. */
  detected: Detected
  /** What part of the work is this thread's. */
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
    const read = new CsvRows(this.settings, { keep: MAX_REJECTED, cells: acquireCells() })
    this.pass = new Pass(read, this.settings, {
      signal: context.signal,
      progress: ({ bytes, rows }) =>
        context.progress({ bytes: bytes / this.share, rows: Math.round(rows / this.share) }),
    })
  }

  /** A reading of one of the file's tables, by one thread. */
  ofTable(name: string, settings: CsvSettings, endIsSet: boolean): Reading {
    const { file, format, detected } = this
    const { startHelper: _, ...context } = this.context
    const table = { name, endIsSet }
    return new Reading(file, format, { ...detected, settings, notes: [], proposals: [], certain: true }, context, table)
  }

  /** Whether the file has blank lines, and rows that aren't like most: there may be more than one table in it. */
  isUneven({ tables: [{ columns }] }: Inspection): boolean {
    const { rows, blankLines } = this.pass
    const hasBlank = blankLines > 0 || columns.every(({ nulls }) => nulls > 0)
    const isOdd = rows.rejectedCount > 0 || this.pass.adjustments.padded.count > 0
    return hasBlank && rows.width > 1 && (isOdd || columns.some(({ flags }) => flags.includes('mixed-types')))
  }

  /** Gives the line in which the text turned out not to be UTF-8, if it is in another encoding. */
  async run(): Promise<number | null> {
    const { file, context, pass } = this
    const half = context.startHelper ? await secondHalf(file, this.settings) : null
    const late = half === null ? await this.take(file) : await this.inHalves(half)
    if (late !== null) return late
    pass.end()
    context.progress({ bytes: file.size, rows: pass.rows.rows })
    return null
  }

  /** Another thread reads the second half. If it turns out to begin within a record, it's read here after all. */
  private async inHalves(half: number): Promise<number | null> {
    const { file, context, pass } = this
    const helper = context.startHelper?.()
    try {
      // A thread that is lost costs time and no more.
      const found = helper?.inspectRest(this.format, file, this.settings, half).catch(() => null)
      this.share = half / file.size
      const late = await this.take(file.slice(0, half))
      if (late !== null) return late
      const rest = pass.rows.isBetween ? ((await found) as RestFindings | null | undefined) : null
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

  /** What part of the rows is rejected, and what part is rejected or filled up: a better way to split the file has less of both. */
  get misfits(): { readonly rejected: number; readonly all: number } {
    const { rows, adjustments } = this.pass
    const rejected = rows.rejectedCount / Math.max(rows.rows, 1)
    return { rejected, all: rejected + adjustments.padded.count / Math.max(rows.rows, 1) }
  }

  /** What was found; the reading leaves its memory to the next one then. */
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

  /** Units of measure below the names can be left out of them. */
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
    const sources = header ?? inferences.map(() => '')
    const { rowNames } = this.settings
    const unnamed = (i: number): string => (rowNames && i === 0 ? 'row_name' : `column_${i + 1}`)
    const names = columnNames(sources, (i) => this.detected.names?.[i] ?? unnamed(i))
    const { columns: concluded, numbers } = inferTable(inferences, this.settings)
    const columns = concluded.map((conclusion, index) => {
      const { type, reason, flags, nulls, format, rewritten, likely } = conclusion
      const spaced = spacedName(names[index])
      const proposals = [
        ...(conclusion.proposals ?? []),
        ...(spaced ? [spaced.proposal] : markedNameProposals(names, index)),
        ...blankColumnProposals(header === null ? null : sources[index], flags),
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
