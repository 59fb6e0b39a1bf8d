import { checkpoint } from '../../../lib/abort.ts'
import { ByteWriter, formatBytes } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import { CLOSE, codeOf, END, NEED, OPEN, TEXT, XmlScanner } from './xml.ts'
import { appendXmlText, utf8Source } from './xml-text.ts'
import { openEntry, type ZipArchive, type ZipEntry } from './zip-read.ts'

/** The workbook's texts, which cells name by number: one run of UTF-8, no string objects. */
export interface SharedStrings {
  readonly count: number
  readonly bytes: Uint8Array
  /** Text `i` is `bytes[offsets[i], offsets[i + 1])`. */
  readonly offsets: Uint32Array
}

/** All of them are held for as long as the file is: of their XML, the texts are most. A tab can't safely hold more. */
const MAX_STRINGS = 1024 * 1024 * 1024

const SI = codeOf('si')
const T = codeOf('t')
const RPH = codeOf('rPh')

/**
 * Reads the shared strings: the runs of a rich text joined, phonetic guides left out.
 * @throws {EngineError} `too-large` above 1 GB of XML, `corrupt-file`
 */
export async function readStrings(
  zip: ZipArchive,
  entry: ZipEntry | undefined,
  signal: AbortSignal,
): Promise<SharedStrings> {
  if (!entry) return { count: 0, bytes: new Uint8Array(0), offsets: new Uint32Array(1) }
  const source = await utf8Source(await openEntry(zip, entry, MAX_STRINGS))
  const scanner = new XmlScanner(`part “${entry.name}”`)
  const reader = makeReader(entry.size)
  let last = performance.now()
  try {
    for (;;) {
      const piece = await source.read()
      if (piece) scanner.push(piece)
      else scanner.finish()
      if (reader.run(scanner)) return reader.strings()
      if (performance.now() - last > 50) {
        await checkpoint(signal)
        last = performance.now()
      }
    }
  } finally {
    await source.cancel()
  }
}

/** Texts take less than their XML: with room for that nothing has to be moved, and what isn't used is never touched. */
function makeReader(size: number): StringReader {
  try {
    return new StringReader(size)
  } catch (cause) {
    throw new EngineError('out-of-memory', `The workbook’s texts need ${formatBytes(size)} of memory at once.`, {
      remedy: 'Close other tabs, or split the workbook into smaller ones.',
      cause,
    })
  }
}

class StringReader {
  private readonly out: ByteWriter
  private offsets = new Uint32Array(1024)
  private count = 0
  private inText = false
  private phonetic = false

  constructor(capacity: number) {
    this.out = new ByteWriter(Math.max(64, capacity))
  }

  /** Takes what the scanner has; true at the part's end. */
  run(scanner: XmlScanner): boolean {
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      const { code } = scanner
      if (token === TEXT) {
        if (this.inText) {
          appendXmlText(this.out, scanner.bytes, scanner.textStart, scanner.textEnd, scanner.textFlags)
        }
      } else if (token === OPEN) {
        if (code === T) this.inText = !this.phonetic && !scanner.selfClosing
        else if (code === RPH) this.phonetic = !scanner.selfClosing
        else if (code === SI && scanner.selfClosing) this.endString()
      } else if (token === CLOSE) {
        if (code === T) this.inText = false
        else if (code === RPH) this.phonetic = false
        else if (code === SI) this.endString()
      } else if (token === END) {
        return true
      }
    }
    return false
  }

  private endString(): void {
    this.count++
    if (this.count >= this.offsets.length) {
      const grown = new Uint32Array(this.offsets.length * 2)
      grown.set(this.offsets)
      this.offsets = grown
    }
    this.offsets[this.count] = this.out.length
  }

  strings(): SharedStrings {
    return { count: this.count, bytes: this.out.view(), offsets: this.offsets.slice(0, this.count + 1) }
  }
}
