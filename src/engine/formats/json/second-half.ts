import type { JsonSettings, ReadSettings } from '../../../tables/plan.ts'
import type { EngineContext } from '../types.ts'
import { TableStats, type RestFindings } from './table-stats.ts'
import { openFile } from './open.ts'
import { STEP } from './rows.ts'
import { lineAfter } from '../../io/lines.ts'

/** Maximum distance of the first two rows from the beginning, and of the next row from the middle of the file. */
const NEAR = 1024 * 1024
const BRACKET = 0x5b

/**
 * The likely beginning of the second half of a file, at a row. Null if there is none, or if the bytes can't be
 * interpreted without those before.
 */
export async function secondHalf(
  file: Blob,
  settings: JsonSettings,
  { signal }: EngineContext,
): Promise<number | null> {
  if (settings.compression !== null || settings.encoding !== 'utf-8') return null
  const middle = Math.floor(file.size / 2)
  if (settings.layout === 'lines') return lineAfter(file, middle, NEAR)
  const seam = settings.layout === 'array' ? await seamOf(file.slice(0, NEAR), settings, signal) : null
  if (!seam) return null
  const at = indexOf(new Uint8Array(await file.slice(middle, middle + NEAR).arrayBuffer()), seam.bytes)
  return at < 0 ? null : middle + at + seam.row
}

interface Seam {
  /** Bytes from the end of the first row to the second one's first key. */
  readonly bytes: Uint8Array
  /** Offset of the second row in them. */
  readonly row: number
}

/** The bytes between rows and at their beginning. Lists inside rows look similar, but seldom exactly the same. */
async function seamOf(beginning: Blob, settings: JsonSettings, signal: AbortSignal): Promise<Seam | null> {
  const open = openFile(beginning, settings, { signal, progress: () => undefined })
  try {
    // Broken text is reported by the inspection.
    const next = (): number => {
      try {
        return open.rows.next()
      } catch {
        return STEP.done
      }
    }
    if (next() === STEP.more) await open.more()
    if (next() !== STEP.row) return null
    const end = open.rows.span[1] - 1
    if (next() !== STEP.row) return null
    const [start] = open.rows.span
    const { scanner } = open.rows.tokens
    const { bytes } = scanner
    if (settings.rows === 'arrays' && bytes[start] === BRACKET) {
      return { bytes: bytes.slice(end, start + 1), row: start - end }
    }
    if (settings.rows !== undefined && settings.rows !== 'objects') return null
    scanner.pos = start + 1
    if (scanner.key(scanner.space()) < 0) return null
    return { bytes: bytes.slice(end, scanner.pos), row: start - end }
  } finally {
    await open.close()
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(wanted[0]); at >= 0; at = bytes.indexOf(wanted[0], at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at
  }
  return -1
}

/**
 * Inspects the rows from byte `from` on, if a row begins there. Returns null for formats whose rows can't be read that
 * way.
 */
export async function inspectRest(
  file: File,
  settings: ReadSettings,
  from: number,
  context: EngineContext,
): Promise<RestFindings | null> {
  if (settings.kind !== 'json' || (settings.layout !== 'array' && settings.layout !== 'lines')) return null
  const open = openFile(file.slice(from), settings, context)
  try {
    open.rows.resume()
    const stats = new TableStats(open)
    await stats.run(open)
    return stats.findings()
  } finally {
    await open.close()
  }
}
