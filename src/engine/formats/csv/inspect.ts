import type { CsvSettings, InspectedColumn, Inspection, Note, ReadSettings, RejectedRow } from '../../../tables/plan.ts'
import { printType } from '../../../tables/types.ts'
import { checkpoint } from '../../../lib/abort.ts'
import { EngineError } from '../../errors.ts'
import { ColumnInference } from '../../infer/column-inference.ts'
import { detectEncoding, findInvalidUtf8, hasNul, openText } from '../../io/text-stream.ts'
import type { EngineContext } from '../types.ts'
import { detectSettings, type Detected } from './detect.ts'
import { uniqueNames } from './names.ts'
import { CsvRows, plural } from './rows.ts'

const MAX_REJECTED = 100
const PATIENCE = 50

/**
 * Reads a CSV file once, from its first byte to its last, and says what is in it. What isn't given is detected from the
 * first 256 kB; types hold for every row.
 *
 * A file that begins as UTF-8 and turns out to be none is read once more: in the likeliest other encoding when nothing
 * beyond ASCII came before, else as UTF-8 with these rows rejected.
 */
export async function inspectCsv(
  file: File,
  format: 'csv' | 'tsv',
  given: Partial<ReadSettings>,
  context: EngineContext,
): Promise<Inspection> {
  const wanted = !given.kind || given.kind === 'csv' ? (given as Partial<CsvSettings>) : {}
  const detected = await detectSettings(file, format, wanted, context.signal)
  const pass = new Pass(file, detected, wanted.encoding !== undefined, context)
  const late = await pass.run()
  if (!late) return pass.inspection(format, detected)
  const again = await detectSettings(file, format, { ...wanted, encoding: late.encodings[0].encoding }, context.signal)
  const second = new Pass(file, again, true, context)
  await second.run()
  const note: Note = {
    code: 'encoding-late',
    message: `The file isn’t UTF-8, which shows only in line ${late.line.toLocaleString('en-US')}: it is read as ${late.encodings[0].label}.`,
  }
  return second.inspection(format, { ...again, encodings: late.encodings, notes: [...again.notes, note] })
}

interface LateEncoding {
  readonly line: number
  readonly encodings: Detected['encodings']
}

/** One reading of the whole file. */
class Pass {
  private readonly file: File
  private readonly settings: CsvSettings
  private readonly certain: boolean
  private readonly context: EngineContext
  private readonly rows: CsvRows
  private inferences: ColumnInference[] = []
  private rejected: RejectedRow[] = []
  private nulBytes = false

  /** @param certain whether the encoding was chosen by the person */
  constructor(file: File, detected: Detected, certain: boolean, context: EngineContext) {
    this.file = file
    this.settings = detected.settings
    this.certain = certain || detected.settings.encoding !== 'utf-8'
    this.context = context
    this.rows = new CsvRows(this.settings, MAX_REJECTED)
  }

  async run(): Promise<LateEncoding | null> {
    const { rows, context } = this
    let bytes = 0
    let last = performance.now()
    const text = openText(this.file, { ...this.settings, signal: context.signal, onBytes: (taken) => (bytes = taken) })
    for await (const slice of text) {
      rows.push(slice)
      if (!this.nulBytes && hasNul(slice)) this.nulBytes = true
      if (!this.certain && rows.tokenizer.utf8.looksOtherwiseEncoded) return this.late(slice)
      while (rows.next()) this.observe()
      context.progress({ bytes, rows: rows.rows })
      if (performance.now() - last < PATIENCE) continue
      await checkpoint(context.signal)
      last = performance.now()
    }
    rows.end()
    while (rows.next()) this.observe()
    context.progress({ bytes, rows: rows.rows })
    return null
  }

  private late(slice: Uint8Array): LateEncoding {
    const at = Math.max(0, findInvalidUtf8(slice, 0, slice.length))
    const around = slice.subarray(Math.max(0, at - 1000), at + 64_000)
    const encodings = detectEncoding(around)
    const { rows } = this
    while (rows.tokenizer.utf8.firstLine === 0 && rows.next());
    return { line: rows.tokenizer.utf8.firstLine || 1, encodings }
  }

  private observe(): void {
    const { rows, inferences } = this
    while (inferences.length < rows.width) inferences.push(new ColumnInference())
    for (const [column, inference] of inferences.entries()) rows.observeColumn(column, inference)
    if (rows.rejected.length > 0) this.rejected.push(...rows.rejected)
  }

  inspection(format: 'csv' | 'tsv', detected: Detected): Inspection {
    const { rows } = this
    if (rows.width < 0) {
      throw new EngineError('empty-file', `“${this.file.name}” has no rows.`, {
        remedy: 'Check that the export or download that made it was finished.',
      })
    }
    while (this.inferences.length < rows.width) this.inferences.push(new ColumnInference())
    return {
      format,
      settings: this.settings,
      tables: [
        {
          name: null,
          columns: this.columns(),
          rows: rows.rows - rows.rejectedCount,
          rejectedCount: rows.rejectedCount,
          rejected: this.rejected,
          notes: [],
        },
      ],
      notes: [...detected.notes, ...this.notes()],
      encodings: detected.encodings,
    }
  }

  private columns(): InspectedColumn[] {
    const sources = this.rows.header ?? this.inferences.map(() => '')
    const names = uniqueNames(sources)
    return this.inferences.map((inference, index) => {
      const { type, reason, flags, nulls, format } = inference.conclude()
      const renamed = this.rows.header !== null && names[index] !== sources[index]
      return {
        index,
        source: sources[index],
        name: names[index],
        type: printType(type),
        reason,
        flags: renamed ? [...flags, 'renamed'] : flags,
        nulls,
        ...(format ? { format } : {}),
      }
    })
  }

  private notes(): Note[] {
    const { tokenizer, blankLines } = this.rows
    const notes: Note[] = []
    const { commentLines, lf, crlf, cr } = tokenizer
    if (commentLines > 0) {
      const message = `${plural(commentLines, 'line')} that begin${commentLines === 1 ? 's' : ''} with “${this.settings.comment}” ${commentLines === 1 ? 'is a comment' : 'are comments'} and not read.`
      notes.push({ code: 'comments', message, count: commentLines })
    }
    if (blankLines > 0) {
      const message = `${plural(blankLines, 'blank line')} ${blankLines === 1 ? 'is' : 'are'} not read.`
      notes.push({ code: 'blank-lines', message, count: blankLines })
    }
    const kinds = [
      lf > 0 ? `${lf.toLocaleString('en-US')} LF` : '',
      crlf > 0 ? `${crlf.toLocaleString('en-US')} CRLF` : '',
      cr > 0 ? `${cr.toLocaleString('en-US')} CR` : '',
    ].filter(Boolean)
    if (kinds.length > 1) {
      notes.push({ code: 'mixed-line-ends', message: `Lines end in different ways: ${kinds.join(', ')}.` })
    }
    if (this.nulBytes) notes.push({ code: 'nul-bytes', message: 'The text has NUL characters in it; they are kept.' })
    return notes
  }
}
