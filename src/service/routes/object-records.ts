import { formatInfo } from '../../contract/formats.ts'
import type { ServiceFormat } from '../../contract/schemas.ts'
import { ulid } from '../../lib/ulid.ts'
import type { ObjectRecord, WriteTransaction } from '../ports.ts'

interface NewObject {
  readonly workspaceId: string
  readonly kind: ObjectRecord['kind']
  readonly format: ServiceFormat
  /** In the path; without an extension. */
  readonly name: string
  /** What a download is called; the path's last part when that's to be the same. */
  readonly filename?: string
  /** When it isn't the format's own. */
  readonly contentType?: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** How long its URL is good for. */
  readonly seconds: number
}

/** A place for an object, with nothing there yet. */
export function newObject(object: NewObject): ObjectRecord {
  const { workspaceId, kind, format, now } = object
  const info = formatInfo(format)
  const id = ulid(now)
  // A half of a surrogate pair can stand in JSON, but neither in a URL nor in a header.
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

/** A file's name without the extension, where that's one of the format's. Never empty. */
export function stem(filename: string, format: ServiceFormat): string {
  const [, name = '', extension = ''] = /^(.+)\.([^.]+)$/s.exec(filename) ?? []
  return formatInfo(format).extensions.includes(extension.toLowerCase()) ? name : filename
}

/** What a conversion's result is called, without extension: as the caller said, if at all. */
export function resultName(filename: string | undefined, format: ServiceFormat): string {
  return filename === undefined ? 'converted' : stem(filename, format)
}

/** The id in `<YYYY-MM-DD>/<id>/<name>.<ext>`; null for anything else. */
export function objectIdInPath(path: string): string | null {
  return /^\d{4}-\d{2}-\d{2}\/([0-9A-Z]{26})\/[^/]+$/s.exec(path)?.[1] ?? null
}

/** Writes that an upload was used. @returns false where it was used, or uploaded again, since it was read */
export async function consume(transaction: WriteTransaction, object: ObjectRecord, now: number): Promise<boolean> {
  const there = await transaction.get('objects', object.id)
  // What was uploaded again in the meantime isn't what was used: that one is still to be.
  if (there?.blobId !== object.blobId || there.consumedAt !== null) return false
  await transaction.put('objects', { ...there, consumedAt: now })
  return true
}
