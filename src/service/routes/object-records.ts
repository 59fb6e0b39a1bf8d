import { formatInfo } from '../../contract/formats.ts'
import type { ServiceFormat } from '../../contract/schemas.ts'
import { ulid } from '../../lib/ulid.ts'
import type { ObjectRecord, WriteTransaction } from '../ports.ts'

interface NewObject {
  readonly workspaceId: string
  readonly kind: ObjectRecord['kind']
  readonly format: ServiceFormat
  /** In the path; without extension. */
  readonly name: string
  /** File name for downloads; by default the last part of the path. */
  readonly filename?: string
  /** By default that of the format. */
  readonly contentType?: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Validity of its URL. */
  readonly seconds: number
}

/** A new object without bytes. */
export function newObject(object: NewObject): ObjectRecord {
  const { workspaceId, kind, format, now } = object
  const info = formatInfo(format)
  const id = ulid(now)
  // JSON allows lone surrogates, but URLs and headers don't.
  const file = `${object.name}.${info.extensions[0]}`.toWellFormed()
  return {
    id,
    workspaceId,
    kind,
    format,
    path: `${new Date(now).toISOString().slice(0, 10)}/${id}/${file}`,
    filename: (object.filename ?? file).toWellFormed(),
    contentType: object.contentType ?? info.mimeType,
    createdAt: now,
    expiresAt: now + object.seconds * 1000,
    blobId: null,
    size: 0,
    uploadedAt: null,
    consumedAt: null,
  }
}

/** A file name without the format's extension. Never empty. */
export function stem(filename: string, format: ServiceFormat): string {
  const [, name = '', extension = ''] = /^(.+)\.([^.]+)$/s.exec(filename) ?? []
  return formatInfo(format).extensions.includes(extension.toLowerCase()) ? name : filename
}

/** Name of a conversion's result without extension; the caller's, if given. */
export function resultName(filename: string | undefined, format: ServiceFormat): string {
  return filename === undefined ? 'converted' : stem(filename, format)
}

/** The id in `<YYYY-MM-DD>/<id>/<name>.<ext>`; null for other paths. */
export function objectIdInPath(path: string): string | null {
  return /^\d{4}-\d{2}-\d{2}\/([0-9A-Z]{26})\/[^/]+$/s.exec(path)?.[1] ?? null
}

/** Marks an upload as used. @returns false if it was used or uploaded again meanwhile */
export async function consume(transaction: WriteTransaction, object: ObjectRecord, now: number): Promise<boolean> {
  const there = await transaction.get('objects', object.id)
  // It was uploaded again meanwhile: the new bytes haven't been used.
  if (there?.blobId !== object.blobId || there.consumedAt !== null) return false
  await transaction.put('objects', { ...there, consumedAt: now })
  return true
}
