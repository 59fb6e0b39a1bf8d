import path from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { formatCount } from '../../lib/counts.ts'
import type { Inspection, InspectRequest } from '../../tables/plan.ts'
import { inspect, type Source } from '../engine/engine.ts'
import type { Io, ProgressLine } from './io.ts'

/** A file that is named on the command line. */
export interface Named {
  /** As it stands there. */
  readonly argument: string
  readonly path: string
}

export const named = (argument: string, io: Io): Named => ({ argument, path: path.resolve(io.folder, argument) })

/**
 * Looks at all of a file.
 * @param source where it's open already
 */
export async function look(
  file: Named,
  request: InspectRequest,
  io: Io,
  progress: ProgressLine,
  source: Source = file.path,
): Promise<Inspection> {
  const { inspection } = await inspect(source, request, {
    signal: io.signal,
    onProgress: ({ bytes, totalBytes, rows }) =>
      progress.show(() => `${file.argument}: reading, ${shareOf(bytes, totalBytes)}${rowsOf(rows)}`),
  })
  progress.clear()
  return inspection
}

/** `45 % of 270 MB`. */
export function shareOf(bytes: number, totalBytes: number): string {
  const share = totalBytes > 0 ? Math.min(100, Math.floor((bytes / totalBytes) * 100)) : 100
  return `${share} % of ${formatBytes(totalBytes)}`
}

export const rowsOf = (rows: number): string => (rows > 0 ? `, ${formatCount(rows)} rows` : '')
