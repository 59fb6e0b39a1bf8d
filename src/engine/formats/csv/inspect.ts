import type { CsvSettings, InspectedColumn, Inspection, Note, ReadSettings } from '../../../tables/plan.ts'
import { printType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { detectEncoding, findInvalidUtf8 } from '../../io/text-stream.ts'
import type { EngineContext } from '../types.ts'
import { detectSettings, type Detected } from './detect.ts'
import { uniqueNames } from './names.ts'
import { MAX_REJECTED, Pass, type RestFindings } from './pass.ts'
import { secondHalf } from './rest.ts'
import { CsvRows, plural } from './rows.ts'

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
  const reading = new Reading(file, format, detected, wanted.encoding !== undefined, context)
  const late = await reading.run()
  if (!late) return reading.inspection(detected)
  const again = await detectSettings(file, format, { ...wanted, encoding: late.encodings[0].encoding }, context.signal)
  const second = new Reading(file, format, again, true, context)
  await second.run()
  const note: Note = {
    code: 'encoding-late',
    message: `The file isn’t UTF-8, which shows only in line ${late.line.toLocaleString('en-US')}: it is read as ${late.encodings[0].label}.`,
  }
  return second.inspection({ ...again, encodings: late.encodings, notes: [...again.notes, note] })
}

interface LateEncoding {
  readonly line: number
  readonly encodings: Detected['encodings']
}

/** One reading of the whole file. */
class Reading {
  private readonly file: File
  private readonly format: 'csv' | 'tsv'
  private readonly settings: CsvSettings
  private readonly certain: boolean
  private readonly context: EngineContext
  private readonly pass: Pass
  /** What part of the work is this thread's. */
  private share = 1

  /** @param certain whether the encoding was chosen by the person */
  constructor(file: File, format: 'csv' | 'tsv', detected: Detected, certain: boolean, context: EngineContext) {
    this.file = file
    this.format = format
    this.settings = detected.settings
    this.certain = certain || detected.settings.encoding !== 'utf-8'
    this.context = context
    this.pass = new Pass(new CsvRows(this.settings, MAX_REJECTED), this.settings, {
      signal: context.signal,
      progress: ({ bytes, rows }) =>
        context.progress({ bytes: bytes / this.share, rows: Math.round(rows / this.share) }),
    })
  }

  async run(): Promise<LateEncoding | null> {
    const { file, context, pass } = this
    const half = context.startHelper ? await secondHalf(file, this.settings) : null
    const late = half === null ? await this.take(file) : await this.inHalves(half)
    if (late) return late
    pass.end()
    context.progress({ bytes: file.size, rows: pass.rows.rows })
    return null
  }

  /** Another thread reads the second half. If it turns out to begin within a record, it's read here after all. */
  private async inHalves(half: number): Promise<LateEncoding | null> {
    const { file, context, pass } = this
    const helper = context.startHelper?.()
    try {
      // A thread that is lost costs time and no more.
      const found = helper?.inspectRest(this.format, file, this.settings, half).catch(() => null)
      this.share = half / file.size
      const late = await this.take(file.slice(0, half))
      if (late) return late
      const rest = pass.rows.tokenizer.betweenRecords ? ((await found) as RestFindings | null | undefined) : null
      context.signal.throwIfAborted()
      this.share = 1
      if (!rest) return await this.take(file.slice(half))
      pass.merge(rest)
      return null
    } finally {
      helper?.end()
    }
  }

  private async take(part: Blob): Promise<LateEncoding | null> {
    const { utf8 } = this.pass.rows.tokenizer
    const slice = await this.pass.run(part, () => !this.certain && utf8.looksOtherwiseEncoded)
    return slice && this.late(slice)
  }

  private late(slice: Uint8Array): LateEncoding {
    const at = Math.max(0, findInvalidUtf8(slice, 0, slice.length))
    const around = slice.subarray(Math.max(0, at - 1000), at + 64_000)
    const encodings = detectEncoding(around)
    const { rows } = this.pass
    while (rows.tokenizer.utf8.firstLine === 0 && rows.next());
    return { line: rows.tokenizer.utf8.firstLine || 1, encodings }
  }

  inspection(detected: Detected): Inspection {
    const { rows } = this.pass
    if (rows.width < 0) {
      throw new EngineError('empty-file', `“${this.file.name}” has no rows.`, {
        remedy: 'Check that the export or download that made it was finished.',
      })
    }
    return {
      format: this.format,
      settings: this.settings,
      tables: [
        {
          name: null,
          columns: this.columns(),
          rows: rows.rows - rows.rejectedCount,
          rejectedCount: rows.rejectedCount,
          rejected: this.pass.rejected,
          notes: [],
        },
      ],
      notes: [...detected.notes, ...this.notes()],
      encodings: detected.encodings,
    }
  }

  private columns(): InspectedColumn[] {
    const { header } = this.pass.rows
    const { inferences } = this.pass
    const sources = header ?? inferences.map(() => '')
    const names = uniqueNames(sources)
    return inferences.map((inference, index) => {
      const { type, reason, flags, nulls, format } = inference.conclude()
      const renamed = header !== null && names[index] !== sources[index]
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
    const { blankLines, commentLines, lineEnds, nulBytes } = this.pass
    const { lf, crlf, cr } = lineEnds
    const notes: Note[] = []
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
    if (nulBytes) notes.push({ code: 'nul-bytes', message: 'The text has NUL characters in it; they are kept.' })
    return notes
  }
}
