import { sliceBytes } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import { withZipErrors } from './zip.ts'

const OLE_MAGIC = 0xd0cf11e0
/** The directory is in the first sectors of its chain; longer chains are damaged or malicious. */
const MAX_SECTORS = 256

export function isOle(head: Uint8Array): boolean {
  return head.length >= 4 && new DataView(head.buffer, head.byteOffset).getUint32(0) === OLE_MAGIC
}

/**
 * Refuses OLE compound files (Office's format before 2007, and the container of encrypted workbooks since), and says
 * which of these a file is. https://learn.microsoft.com/openspecs/windows_protocols/ms-cfb
 * @throws {EngineError} `password-protected`, `unsupported-format`
 */
export async function refuseOle(file: File): Promise<void> {
  const head = await withZipErrors(sliceBytes(file, 0, 512))
  if (!isOle(head)) return
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  refuseForeign(file, head.length === 512 ? await directoryNames(file, view) : new Set())
  throw foreign(file, 'an old Excel workbook (.xls, from before 2007)')
}

/**
 * Refuses a compound file that isn't a workbook.
 * @param names of its streams
 * @throws {EngineError} `password-protected`, `unsupported-format`
 */
export function refuseForeign(file: File, names: ReadonlySet<string>): void {
  // Names are case-insensitive; some programs write `WORKBOOK`.
  const found = new Set([...names].map((name) => name.toLowerCase()))
  if (found.has('encryptedpackage')) throw passwordProtected(file.name)
  if (found.has('workbook') || found.has('book')) return
  throw foreign(
    file,
    found.has('worddocument')
      ? 'an old Word document (.doc)'
      : found.has('powerpoint document')
        ? 'an old PowerPoint presentation (.ppt)'
        : 'an old Office file (OLE) without a workbook that can be found',
  )
}

function foreign(file: File, kind: string): EngineError {
  return new EngineError('unsupported-format', `“${file.name}” is ${kind}, despite its name.`, {
    remedy: 'Open it in Excel or LibreOffice and save it as .xlsx.',
  })
}

export function passwordProtected(name: string): EngineError {
  return new EngineError('password-protected', `“${name}” is a password-protected workbook.`, {
    remedy: 'Open it in Excel or LibreOffice with its password, remove the password and save it.',
  })
}

async function directoryNames(file: File, header: DataView): Promise<Set<string>> {
  const names = new Set<string>()
  const sectorSize = 1 << Math.min(16, header.getUint16(30, true))
  if (sectorSize < 512) return names
  const sector = (number: number): Promise<Uint8Array> =>
    withZipErrors(sliceBytes(file, (number + 1) * sectorSize, (number + 2) * sectorSize))
  let current = header.getUint32(48, true)
  for (let i = 0; i < MAX_SECTORS && current < 0xfffffffa; i++) {
    readNames(await sector(current), names)
    const perSector = sectorSize / 4
    const fatIndex = Math.floor(current / perSector)
    // The header lists the first 109 sectors of the allocation table: they cover 7 MB or, with 4 kB sectors, 450 MB. A
    // directory beyond that isn't read.
    if (fatIndex >= 109) break
    const fat = await sector(header.getUint32(76 + fatIndex * 4, true))
    if (fat.length < sectorSize) break
    current = new DataView(fat.buffer, fat.byteOffset).getUint32((current % perSector) * 4, true)
  }
  return names
}

function readNames(bytes: Uint8Array, names: Set<string>): void {
  for (let at = 0; at + 128 <= bytes.length; at += 128) {
    const length = bytes[at + 64] | (bytes[at + 65] << 8)
    if (length >= 2 && length <= 64) names.add(new TextDecoder('utf-16le').decode(bytes.subarray(at, at + length - 2)))
  }
}
