import { formatCount, plural } from '../../lib/counts.ts'
import { isAbort } from '../../lib/abort.ts'
import type { CheckOutcome } from '../../tables/checks.ts'
import { describeCheck } from '../../tables/checking.ts'
import { columnNames, aboutValues, groupNotes } from '../../tables/changes/note-groups.ts'
import type { Note, RejectedRow } from '../../tables/plan.ts'
import { BackupError } from '../../service/backup/format.ts'
import { UnavailableError } from '../../service/ports.ts'
import { EngineError } from '../../engine/errors.ts'
import { isFullDisk } from '../../lib/full-disk.ts'
import { SettingsError } from '../options.ts'
import { shownFolder } from '../engine/files.ts'
import { FileExists } from '../engine/outputs.ts'
import { Failed } from './io.ts'

/** An error, for people and for programs. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly place?: string
  readonly remedy?: string
}

/** Describes an error. Rethrows errors that aren't about a file, the system or the settings, which are bugs. */
export function failureOf(error: unknown): Failure {
  if (error instanceof EngineError || error instanceof Failed) {
    const { code, message, remedy } = error
    const place = error instanceof EngineError ? error.place : undefined
    return { code, message, ...(place ? { place } : {}), ...(remedy ? { remedy } : {}) }
  }
  if (error instanceof FileExists) {
    return {
      code: 'file-exists',
      message: error.message,
      remedy: error.isSource
        ? 'Choose another place with --out.'
        : 'Choose another place with --out, or overwrite it with --replace.',
    }
  }
  if (error instanceof DOMException && error.name === 'NotReadableError') {
    return { code: 'changed', message: 'The file changed, or went away, while it was read.', remedy: 'Try again.' }
  }
  if (error instanceof BackupError) return { code: error.code, message: error.message }
  if (error instanceof SettingsError) return { code: 'settings', message: error.message }
  if (error instanceof UnavailableError) return { code: 'unavailable', message: error.message }
  if (error instanceof DOMException && isFullDisk(error))
    return { code: FULL[0], message: error.message, remedy: FULL[2] }
  const known = ofSystem(error)
  if (!known || isAbort(error)) throw error
  return known
}

type Words = readonly [code: string, message: string, remedy: string]

const NONE: Words = ['not-found', 'There is no such file.', 'Check its name and its folder.']
const FORBIDDEN: Words = ['not-allowed', 'You aren’t allowed to read it.', 'Change its permissions.']
const UNWRITABLE: Words = [
  'not-allowed',
  'You aren’t allowed to write there.',
  'Change the folder’s permissions, or give another folder.',
]
/** System calls that change a folder. */
const CHANGES = /^(?:mkdir|mkdtemp|rename|link|unlink|rmdir|rm)$/
const FULL: Words = ['out-of-space', 'The disk is full.', 'Free some space, or write to another disk.']
const SYSTEM: Readonly<Record<string, Words>> = {
  ENOENT: NONE,
  ENOTDIR: NONE,
  EISDIR: ['not-a-file', 'It’s a folder.', 'Name the files in it, such as folder/*.csv.'],
  EINVAL: ['not-a-file', 'It’s a device or a pipe, not a file.', 'Copy its contents into a file first.'],
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: ['not-allowed', 'The disk is read-only.', 'Give another folder.'],
  ENOSPC: FULL,
  EPIPE: ['closed', 'Its reader has ended.', 'Convert the files that are missing without a pipe.'],
  EDQUOT: ['out-of-space', 'Your share of the disk is full.', 'Free some space, or write to another disk.'],
}

function ofSystem(error: unknown): Failure | null {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException
  const found = typeof code === 'string' ? SYSTEM[code] : undefined
  if (!found) return null
  const [kind, message, remedy] = found === FORBIDDEN && CHANGES.test(syscall ?? '') ? UNWRITABLE : found
  const place = typeof path === 'string' ? shownFolder(path) : undefined
  return { code: kind, message, ...(place === undefined ? {} : { place }), remedy }
}

/** `orders.csv: The file is damaged (byte 12). Fetch it again.` */
export function sentenceOf({ message, place, remedy }: Failure): string {
  const sentence =
    place === undefined || message.includes(place) ? message : `${message.replace(/\.$/, '')} (${place}).`
  if (remedy === undefined) return sentence
  // DuckDB's messages with several lines end with a caret below the place of the error.
  return sentence.includes('\n') ? `${sentence}\n${remedy}` : `${sentence.replace(/[^.!?:]$/, '$&.')} ${remedy}`
}

/** The largest number of rejected rows to print. */
const SHOWN = 5

/** A line for each of the first rejected rows. */
export function rejectedLines(rejected: readonly RejectedRow[], count: number): string[] {
  const lines = rejected.slice(0, SHOWN).map(({ file, line, row, message }) => {
    const place = line === null ? `row ${formatCount(row)}` : `line ${formatCount(line)}`
    return `  ${file === undefined ? '' : `${file}, `}${place}: ${message}`
  })
  const more = count - lines.length
  return more > 0 ? [...lines, `  and ${plural(more, 'more row')}`] : lines
}

/** A line for each failed check. */
export function checkLines(failed: readonly CheckOutcome[]): string[] {
  return failed.map((check) => {
    const rows = check.check === 'rowCount' ? '' : `: ${plural(check.failed, 'row')} failed`
    return `  ${describeCheck(check)}${rows}`
  })
}

/** A line for each note: `  name, city: Lists are written as JSON text. (12 values)`. */
export function noteLines(notes: readonly Note[]): string[] {
  return groupNotes(notes).map((group) => {
    const columns = group.columns.length > 0 ? `${columnNames(group.columns)}: ` : ''
    const about = aboutValues(group)
    return `  ${columns}${group.message}${about === '' ? '' : ` (${about})`}`
  })
}
