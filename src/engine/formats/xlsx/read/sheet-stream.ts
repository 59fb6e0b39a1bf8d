import { Yielder } from '../../../../lib/abort.ts'
import type { Row } from './row.ts'
import { SheetParser } from './sheet-rows.ts'
import type { Sheet, Workbook } from './workbook.ts'
import { XmlScanner } from '../xml/scanner.ts'
import { utf8Source } from '../xml/text.ts'
import type { ByteSource } from '../../../../lib/zip/read.ts'
import { openEntry } from '../zip.ts'

/**
 * Unpacked XML of one sheet. A full one of 1,048,576 rows with 40 columns comes to about 2 GB; reading needs no more
 * memory for it, but minutes.
 */
const MAX_SHEET = 8 * 1024 * 1024 * 1024

/** A sheet's rows as they come out of its archive. */
export class SheetStream {
  readonly parser: SheetParser
  private readonly scanner: XmlScanner
  private readonly source: ByteSource
  private readonly yielder: Yielder

  private constructor(source: ByteSource, scanner: XmlScanner, parser: SheetParser, signal: AbortSignal) {
    this.source = source
    this.scanner = scanner
    this.parser = parser
    this.yielder = new Yielder(signal)
  }

  /** @throws {EngineError} `corrupt-file`, `too-large` */
  static async open(
    workbook: Workbook,
    sheet: Sheet,
    onRow: (row: Row) => void,
    signal: AbortSignal,
  ): Promise<SheetStream> {
    const source = await utf8Source(await openEntry(workbook.zip, sheet.entry, MAX_SHEET))
    const scanner = new XmlScanner(`sheet “${sheet.name}”`)
    return new SheetStream(source, scanner, new SheetParser(scanner, workbook.strings, onRow), signal)
  }

  /** Compressed bytes taken in so far, about. */
  get consumed(): number {
    return this.source.consumed
  }

  /**
   * Reads on, and calls `onRow` for each row that is complete.
   * @returns false at the end
   * @throws {EngineError}, or the signal's reason
   */
  async step(): Promise<boolean> {
    const piece = await this.source.read()
    if (piece) this.scanner.push(piece)
    else this.scanner.finish()
    const ended = this.parser.run()
    if (this.yielder.due) await this.yielder.yield()
    return !ended && !this.parser.stopped
  }

  async close(): Promise<void> {
    await this.source.cancel()
  }
}
