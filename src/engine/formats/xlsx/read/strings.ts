import { formatCount } from '../../../../lib/counts.ts'
import { ByteWriter, formatBytes, grown } from '../../../../lib/bytes.ts'
import { EngineError } from '../../../errors.ts'
import { CLOSE, codeOf, END, NEED, OPEN, TEXT, type XmlScanner } from '../xml/scanner.ts'
import { appendXmlText, hasUnkeptSpace, keepsSpace } from '../xml/text.ts'
import { placeOf, type ZipEntry } from '../../../../lib/zip/read.ts'
import { scanXml } from '../xml/part.ts'
import { openEntry, type ZipArchive } from '../zip.ts'

/** The workbook's texts, to which cells refer by index, in one UTF-8 buffer without string objects. */
export interface SharedStrings {
  readonly count: number
  readonly bytes: Uint8Array
  /** Text `i` is `bytes[offsets[i], offsets[i + 1])`. */
  readonly offsets: Uint32Array
  /** Number of texts with outer white space that Excel doesn't show. */
  readonly unkept: number
}

/** For workbooks that store all texts in their cells. */
export const NO_STRINGS: SharedStrings = {
  count: 0,
  bytes: new Uint8Array(0),
  offsets: new Uint32Array(1),
  unkept: 0,
}

/**
 * Limit for the XML of shared strings, most of which is text that is held as long as the file is. A tab can't safely
 * hold more.
 */
const MAX_STRINGS = 1024 * 1024 * 1024

/** Each takes four bytes besides its text; Excel's largest sheets have a few million. */
const MAX_COUNT = 50_000_000

const SI = codeOf('si')
const SST = codeOf('sst')
const T = codeOf('t')
const RPH = codeOf('rPh')

/**
 * Reads the shared strings, joining the runs of rich text and omitting phonetic guides.
 * @throws {EngineError} `too-large` above 1 GB of XML, `corrupt-file`
 */
export async function readStrings(
  zip: ZipArchive,
  entry: ZipEntry | undefined,
  signal: AbortSignal,
): Promise<SharedStrings> {
  if (!entry) return NO_STRINGS
  const bytes = await openEntry(zip, entry, MAX_STRINGS)
  const reader = makeReader(entry.size)
  await scanXml(bytes, placeOf(entry.name), (scanner) => reader.run(scanner), signal)
  return reader.strings()
}

/**
 * Texts take less space than their XML, so reserve that: nothing has to be moved, and unused memory is never touched.
 */
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

function tooMany(): EngineError {
  return new EngineError('too-large', `The workbook has over ${formatCount(MAX_COUNT)} different texts.`, {
    remedy: 'Split the workbook into smaller ones.',
  })
}

class StringReader {
  private readonly out: ByteWriter
  private offsets = new Uint32Array(1024)
  private count = 0
  private inText = false
  private phonetic = false
  private allKeep = false
  private textKeeps = false
  private keeps = false
  private isUnkept = false
  private unkept = 0

  constructor(capacity: number) {
    this.out = new ByteWriter(Math.max(64, capacity))
  }

  /** Processes the scanner's data. Returns true at the end of the part. */
  run(scanner: XmlScanner): boolean {
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      const { code } = scanner
      if (token === TEXT) {
        if (this.inText) {
          this.isUnkept ||= !this.keeps && hasUnkeptSpace(scanner)
          appendXmlText(this.out, scanner.bytes, scanner.textStart, scanner.textEnd, scanner.textFlags)
        }
      } else if (token === OPEN) {
        this.open(scanner)
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

  private open(scanner: XmlScanner): void {
    const { code, selfClosing } = scanner
    if (code === T) {
      this.inText = !this.phonetic && !selfClosing
      if (this.inText) this.keeps = keepsSpace(scanner, this.textKeeps)
    } else if (code === RPH) {
      this.phonetic = !selfClosing
    } else if (code === SI) {
      this.textKeeps = keepsSpace(scanner, this.allKeep)
      if (selfClosing) this.endString()
    } else if (code === SST) {
      this.allKeep = keepsSpace(scanner, false)
    }
  }

  private endString(): void {
    if (this.count === MAX_COUNT) throw tooMany()
    this.count++
    if (this.isUnkept) this.unkept++
    this.isUnkept = false
    if (this.count >= this.offsets.length) this.offsets = grown(this.offsets, this.offsets.length * 2)
    this.offsets[this.count] = this.out.length
  }

  strings(): SharedStrings {
    const { count, unkept } = this
    return { count, bytes: this.out.view(), offsets: this.offsets.subarray(0, count + 1), unkept }
  }
}
