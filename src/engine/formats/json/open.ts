import { type JsonSettings, unfolds } from '../../../tables/settings.ts'
import { ByteWriter, formatBytes } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import { openText } from '../../io/text-stream.ts'
import { inChunks } from '../../kernel/cell-memory.ts'
import type { EngineContext } from '../types.ts'
import { BulkRows } from './bulk.ts'
import { ColumnRows } from './columns.ts'
import { LineRows } from './line-rows.ts'
import { ArrayRows, excerpt, STEP, type RowSource, type RowShape } from './rows.ts'
import { isText, type Kind, type Scanned } from '../../columns/json/scanner.ts'
import { unescape } from '../../columns/json/text.ts'
import { Unfolder, UnfoldedRows } from './unfold.ts'
import { MAX_HELD, Window } from './window.ts'
import { Yielder } from '../../../lib/yielding.ts'

/** An open JSON file whose rows are read according to its settings. */
export class OpenFile {
  readonly rows: RowSource
  /** Bytes of the file read so far. */
  bytes = 0
  /** The names in the first row; null if there's no such row. */
  names: readonly string[] | null = null
  /** Unfolds the file's records into rows; null if rows aren't transformed. */
  readonly unfolder: Unfolder | null
  private readonly window: Window
  private readonly settings: JsonSettings
  private readonly context: EngineContext
  private readonly yielder: Yielder

  /** @param unfolder provides the rows, as one object per line */
  constructor(
    chunks: AsyncIterable<Uint8Array>,
    settings: JsonSettings,
    context: EngineContext,
    unfolder: Unfolder | null = null,
  ) {
    const { layout, path, within, rows = 'objects' } = settings
    this.unfolder = unfolder
    this.window = new Window(chunks, layout !== 'lines' && layout !== 'bulk' && unfolder === null)
    this.settings = settings
    this.context = context
    this.yielder = new Yielder(context.signal)
    if (unfolder) this.rows = new UnfoldedRows(this.window, rows)
    else if (layout === 'columns') this.rows = new ColumnRows(this.window, path, settings.rowKeys)
    else if (layout === 'records') this.rows = new RecordRows(this.window, rows, path)
    else if (layout === 'bulk') this.rows = new BulkRows(this.window, 'objects')
    else if (layout === 'lines') this.rows = new LineRows(this.window, rows)
    else this.rows = new ArrayRows(this.window, rows, path, within)
    if (!settings.keys) return
    const { tokens } = this.rows
    for (const name of settings.keys.columns.slice(tokens.hasRowKeys ? 1 : 0)) tokens.declare(name)
    tokens.keepsOthers = true
    tokens.fix()
  }

  /** Reads the header, if there is one. */
  async begin(): Promise<void> {
    if (this.settings.rows !== 'arrays' || this.settings.header !== true) return
    for (;;) {
      const step = this.rows.next()
      if (step === STEP.more) await this.more()
      else if (step === STEP.done) return
      else break
    }
    const { tokens } = this.rows
    const { bytes } = tokens.scanner
    const scratch = new ByteWriter()
    this.names = Array.from({ length: tokens.count }, (_, i) => {
      const text = isText(tokens.kinds[i])
      scratch.clear()
      if (text) unescape(bytes, tokens.starts[i], tokens.ends[i], scratch)
      return text
        ? excerpt(scratch.bytes, 0, scratch.length, 10_000)
        : excerpt(bytes, tokens.starts[i], tokens.ends[i], 100)
    })
    this.rows.count = 0
  }

  /** Whether the text is paused at the cut. `more` goes on after it. */
  get atCut(): boolean {
    return this.window.paused
  }

  /** Reads more of the text. */
  async more(): Promise<void> {
    await this.rows.more()
    this.context.progress({ bytes: this.bytes, rows: this.rows.count })
    await this.yieldIfDue()
  }

  /** Yields to the event loop when it's time, so that cancellations arrive. Cheap: call it every thousand rows. */
  async yieldIfDue(): Promise<void> {
    this.context.signal.throwIfAborted()
    if (this.yielder.due) await this.yielder.yield()
  }

  close(): Promise<void> {
    return this.window.close()
  }
}

/**
 * @param cut byte of a UTF-8 file at which to pause
 * @throws {EngineError} `too-large` if columns don't fit in memory
 */
export function openFile(file: Blob, settings: JsonSettings, context: EngineContext, cut?: number): OpenFile {
  const { compression, encoding, layout, unfold = [] } = settings
  if (unfold.length > 0 && unfolds(settings)) return openUnfolded(file, settings, context)
  if (layout === 'columns' && file.size > MAX_HELD) throw tooLarge(file.size)
  const text = (part: Blob, before: number): AsyncIterable<Uint8Array> => {
    const onBytes = (bytes: number): void => {
      open.bytes = before + bytes
    }
    return inChunks(openText(part, { compression, encoding, signal: context.signal, onBytes }))
  }
  async function* halves(at: number): AsyncGenerator<Uint8Array, void, undefined> {
    yield* text(file.slice(0, at), 0)
    yield new Uint8Array(0)
    yield* text(file.slice(at), at)
  }
  const open = new OpenFile(cut === undefined ? text(file, 0) : halves(cut), settings, context)
  return open
}

/** Opens a file whose records are unfolded into rows. */
function openUnfolded(file: Blob, settings: JsonSettings, context: EngineContext): OpenFile {
  const { unfold: _, keys: __, ...own } = settings
  const inner = openFile(file, own, { ...context, progress: () => undefined })
  const unfolder = new Unfolder(inner, settings)
  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of inChunks(unfolder.lines())) {
      open.bytes = inner.bytes
      yield piece
    }
    open.rows.tokens.duplicates += unfolder.duplicates
  }
  const open = new OpenFile(pieces(), settings, context, unfolder)
  return open
}

function tooLarge(size: number): EngineError {
  const held = formatBytes(MAX_HELD)
  return new EngineError(
    'too-large',
    `The file holds its columns one after another, so all of it (${formatBytes(size)}) has to be in memory at once; ${held} is the most.`,
    { remedy: 'Write it with one object a row: as a JSON array, or as one object a line (NDJSON).' },
  )
}

/** The members of an object as rows, with the key as the first column. */
class RecordRows extends ArrayRows {
  constructor(window: Window, shape: RowShape, path: readonly string[]) {
    super(window, shape, path, [], '{}')
    this.tokens.addRowKeys()
  }

  override get form(): null {
    return null
  }

  protected override item(): Scanned {
    const { tokens } = this
    const { scanner } = tokens
    const key = scanner.key(scanner.space())
    if (key < 0) return key
    const { start, end } = scanner
    const kind = this.scan()
    if (kind >= 0) tokens.put(0, key as Kind, start, end)
    return kind
  }
}
