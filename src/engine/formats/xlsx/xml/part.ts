import { type ByteSource, placeOf, type ZipEntry } from '../../../../lib/zip/read.ts'
import { CLOSE, END, NEED, OPEN, XmlScanner } from './scanner.ts'
import { utf8Source, xmlText } from './text.ts'
import { openEntry, type ZipArchive } from '../zip.ts'
import { Yielder } from '../../../../lib/yielding.ts'

export interface XmlVisitor {
  /** Names are without namespace prefix, including those of attributes. */
  open(name: string, attributes: ReadonlyMap<string, string>): void
  /** Also called for self-closing elements. */
  close?(name: string): void
}

/**
 * Scans XML from beginning to end.
 * @param place what is read, for messages
 * @param run processes the scanner's tokens; returns true at the end
 * @throws {EngineError} `corrupt-file`, or the signal's reason
 */
export async function scanXml(
  bytes: ByteSource,
  place: string,
  run: (scanner: XmlScanner) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const source = await utf8Source(bytes)
  const scanner = new XmlScanner(place)
  const yielder = new Yielder(signal)
  try {
    for (;;) {
      const piece = await source.read()
      if (piece) scanner.push(piece)
      else scanner.finish()
      if (run(scanner)) return
      if (yielder.due) await yielder.yield()
    }
  } finally {
    await source.cancel()
  }
}

/**
 * Reads a part for its elements and attributes only: relationships, the list of sheets, styles.
 * @throws {EngineError} `corrupt-file`, `too-large`, or the signal's reason
 */
export async function readXml(
  zip: ZipArchive,
  entry: ZipEntry,
  limit: number,
  visitor: XmlVisitor,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await openEntry(zip, entry, limit)
  await scanXml(bytes, placeOf(entry.name), (scanner) => visit(scanner, visitor), signal)
}

function visit(scanner: XmlScanner, visitor: XmlVisitor): boolean {
  for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
    if (token === END) return true
    if (token === OPEN) {
      const name = scanner.name()
      visitor.open(name, attributesOf(scanner))
      if (scanner.selfClosing) visitor.close?.(name)
    } else if (token === CLOSE) {
      visitor.close?.(scanner.name())
    }
  }
  return false
}

/** The element's attributes with entities replaced. */
export function attributesOf(scanner: XmlScanner): Map<string, string> {
  const attributes = new Map<string, string>()
  while (scanner.nextAttribute()) {
    const name = scanner.attributeName()
    // An attribute without a prefix has priority; where both `id` and `r:id` exist, the latter doesn't matter here.
    if (!attributes.has(name) || !scanner.attributePrefixed)
      attributes.set(name, xmlText(scanner.bytes, scanner.valueStart, scanner.valueEnd))
  }
  return attributes
}

/** Whether an attribute of type xsd:boolean is true. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on'
}
