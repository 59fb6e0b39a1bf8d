import path from 'node:path'
import { unpackArchive } from '../../engine/io/archive.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { formatCount, plural } from '../../lib/counts.ts'
import type { ZipError } from '../../lib/zip/read.ts'
import type { Inspection, InspectRequest } from '../../tables/plan.ts'
import { inspect, type Source } from '../engine/engine.ts'
import { openFile } from '../engine/files.ts'
import { Failed, type Io, type ProgressLine } from './io.ts'
import { filesNamed } from './paths.ts'

/** A file that is named on the command line, or lies in an archive that is. */
export interface Named {
  /** As it stands there, with its path in the archive after it: `2024.zip/jan.csv`. */
  readonly argument: string
  /** Where it is; of a file in an archive, where it would be if it lay beside it. */
  readonly path: string
  /** Of a file in an archive, what is in it, or why that can't be had. */
  readonly unpacked?: File | Failed
}

export const named = (argument: string, io: Io): Named => ({ argument, path: path.resolve(io.folder, argument) })

/**
 * The files that arguments name, with those in zip archives instead of the archives.
 * @throws {Failed} for a pattern that matches nothing, and an archive of too many tables
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
  // One that can't be opened, or has no tables, is read as any other file: that says what is wrong.
  const file = await openFile(at).catch(() => null)
  if (!file) return [archive]
  progress.show(() => `${argument}: unpacking`)
  const unpacked = await unpackArchive(file, io.signal)
  progress.clear()
  if (!unpacked) return [archive]
  const { files, failed, left, notices } = unpacked
  if (left > 0) {
    const count = files.length + failed.length
    const message = `“${argument}” has ${plural(count + left, 'table')}; ${formatCount(count)} can be taken of an archive.`
    throw new Failed('too-large', message, 'Unpack it, and name the files.')
  }
  for (const { title, description } of notices) io.err(`${title}: ${description}\n`)
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
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return new Failed(code === 'too-large' ? code : 'corrupt-file', sentence)
}

/**
 * What is read of a file.
 * @throws {Failed} for one that couldn't be unpacked
 */
export function sourceOf({ path: at, unpacked }: Named): Source {
  if (unpacked instanceof Failed) throw unpacked
  return unpacked ?? at
}

/**
 * Looks at all of a file.
 * @param source where it's open already
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
