import type { RowParser, SheetFacts, SheetRows } from './book.ts'
import { XmlScanner } from '../xml/scanner.ts'
import { utf8Source } from '../xml/text.ts'
import type { ByteSource, ZipEntry } from '../../../../lib/zip/read.ts'
import { openEntry, type ZipArchive } from '../zip.ts'
import { Yielder } from '../../../../lib/yielding.ts'

/**
 * Limit for one sheet's unpacked XML. A full sheet of 1,048,576 rows with 40 columns has about 2 GB; reading it takes
 * no more memory, but minutes.
 */
const MAX_SHEET = 8 * 1024 * 1024 * 1024

/** Streams a sheet's rows from its archive. */
export class SheetStream implements SheetRows {
  private readonly parser: RowParser
  private readonly scanner: XmlScanner
  private readonly source: ByteSource
  private readonly yielder: Yielder

  private constructor(source: ByteSource, scanner: XmlScanner, parser: RowParser, signal: AbortSignal) {
    this.source = source
    this.scanner = scanner
    this.parser = parser
    this.yielder = new Yielder(signal)
  }

  /** @throws {EngineError} `corrupt-file`, `too-large` */
  static async open(
    zip: ZipArchive,
    sheet: { readonly name: string; readonly entry: ZipEntry },
    parse: (scanner: XmlScanner) => RowParser,
    signal: AbortSignal,
  ): Promise<SheetStream> {
    return SheetStream.of(await utf8Source(await openEntry(zip, sheet.entry, MAX_SHEET)), sheet.name, parse, signal)
  }

  /** @param source XML in UTF-8 */
  static of(
    source: ByteSource,
    name: string,
    parse: (scanner: XmlScanner) => RowParser,
    signal: AbortSignal,
  ): SheetStream {
    const scanner = new XmlScanner(`sheet “${name}”`)
    return new SheetStream(source, scanner, parse(scanner), signal)
  }

  get consumed(): number {
    return this.source.consumed
  }

  get facts(): SheetFacts {
    return this.parser
  }

  stop(): void {
    this.parser.stopped = true
  }

  async step(): Promise<boolean> {
    if (!this.parser.paused) {
      const piece = await this.source.read()
      if (piece) this.scanner.push(piece)
      else this.scanner.finish()
    }
    const ended = this.parser.run()
    if (this.yielder.due) await this.yielder.yield()
    return !ended && !this.parser.stopped
  }

  async close(): Promise<void> {
    await this.source.cancel()
  }
}
