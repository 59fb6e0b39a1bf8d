import path from 'node:path'
import { unpackArchive } from '../../engine/io/archive.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { formatCount, plural } from '../../lib/counts.ts'
import type { ZipError } from '../../lib/zip/read.ts'
import type { Inspection } from '../../tables/plan.ts'
import { inspect, type Source } from '../engine/engine.ts'
import { openFile } from '../engine/files.ts'
import { Failed, type Io, type ProgressLine } from './io.ts'
import { filesNamed } from './paths.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'
import { capitalized } from '../../lib/text.ts'

/** A file that is named on the command line, or is in an archive that is. */
export interface Named {
  /** The argument, followed by the path in the archive if it is one: `2024.zip/jan.csv`. */
  readonly argument: string
  /** Its path. For a file in an archive, the path that it would have beside the archive. */
  readonly path: string
  /** For a file in an archive, its content, or why it can't be unpacked. */
  readonly unpacked?: File | Failed
}

export const named = (argument: string, io: Io): Named => ({ argument, path: path.resolve(io.folder, argument) })

/**
 * The files that arguments name. Zip archives are replaced by the files in them.
 * @throws {Failed} for a pattern that matches nothing, and an archive with too many tables
 */
export async function filesOf(args: readonly string[], io: Io, progress: ProgressLine): Promise<Named[]> {
  const all: Named[] = []
  for (const argument of await filesNamed(args, io.folder)) {
    const file = named(argument, io)
    all.push(...(/\.zip$/i.test(argument) ? await filesInArchive(file, io, progress) : [file]))
  }
  return all
}

async function filesInArchive(archive: Named, io: Io, progress: ProgressLine): Promise<readonly Named[]> {
  const { argument, path: at } = archive
  // An archive that can't be opened or has no tables is read like any other file, which gives the right error.
  const file = await openFile(at).catch(() => null)
  if (!file) return [archive]
  progress.show(() => `${argument}: unpacking`)
  const unpacked = await unpackArchive(file, io.signal)
  progress.clear()
  if (!unpacked) return [archive]
  const { files, failed, left, notices } = unpacked
  if (left > 0) {
    const count = files.length + failed.length
    const message = `“${argument}” has ${plural(count + left, 'table')}, but only ${formatCount(count)} can be read from an archive.`
    throw new Failed('too-large', message, 'Unpack it, and name the files.')
  }
  for (const { title, description } of notices) io.err(`${title}. ${description}\n`)
  const part = (within: string, name: string, content: File | Failed): Named => ({
    argument: `${argument}/${within}`,
    path: path.join(path.dirname(at), name),
    unpacked: content,
  })
  return [
    ...files.map((each) => part(each.path, each.file.name, each.file)),
    ...failed.map((each) => part(each.path, path.basename(each.path), notUnpacked(each.error))),
  ]
}

function notUnpacked({ code, message }: ZipError): Failed {
  return new Failed(code === 'too-large' ? code : 'corrupt-file', capitalized(message))
}

/** @throws {Failed} if it couldn't be unpacked */
export function sourceOf({ path: at, unpacked }: Named): Source {
  if (unpacked instanceof Failed) throw unpacked
  return unpacked ?? at
}

/**
 * Inspects a whole file.
 * @param source if it's already open
 */
export async function look(
  file: Named,
  request: InspectRequest,
  io: Io,
  progress: ProgressLine,
  source: Source = sourceOf(file),
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
