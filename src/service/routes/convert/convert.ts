import { DOWNLOAD_URL_SECONDS, SERVICE_FORMATS, UPLOAD_URL_SECONDS } from '../../../contract/limits.ts'
import type { ConvertData, FormatEntry, UploadUrlsData } from '../../../contract/schemas.ts'
import { toCamelCase } from '../../../contract/spelling.ts'
import type { Call, Deps, Handler } from '../../call.ts'
import { ServiceError } from '../../failures.ts'
import { success } from '../../http.ts'
import { namedBlobs } from '../../named.ts'
import type { ObjectRecord, Ports } from '../../ports.ts'
import { consume, newObject, objectIdInPath, resultName } from '../object-records.ts'
import { invalidRequest } from '../refusals.ts'
import { conversionFailure } from '../tables-errors.ts'
import { formatInfo } from '../../../contract/formats.ts'

/**
 * `POST /convert`: converts an uploaded file. The result goes to the object that was created with the source, whose
 * download URL becomes valid. If another file name was requested, it's also stored under that name; if another format,
 * only there.
 */
export function convert({ ports, signer }: Deps): Handler<'convert'> {
  return async (call) => {
    const { context, principal, body, camelCase, signal, baseUrl } = call
    const source = await findSource(ports, principal.workspace.id, body.source_url)
    if (source.format !== body.source_format) {
      throw invalidRequest([{ path: 'source_format', message: `must be "${source.format}", as its upload URL is for` }])
    }
    const blob = source.blobId === null ? undefined : await ports.objects.get(source.blobId)
    if (!blob) throw new ServiceError('NOT_FOUND', `Nothing was uploaded to ${source.path} yet. PUT the file first.`)

    const places = await findPlaces(ports, call, source)
    const [given] = places
    const finished = await convertInto(ports, { blob, source, places, signal, to: body.destination_format })
    const expiresAt = finished + DOWNLOAD_URL_SECONDS * 1000
    const data: ConvertData = {
      download_url: await signer.download(given, baseUrl, expiresAt),
      file_path: given.path,
      expires_at: new Date(expiresAt).toISOString(),
    }
    return success(context, finished, camelCase ? toCamelCase(data) : data)
  }
}

/** @throws {ServiceError} 404 unless the path is a source of the workspace: knowing a path grants nothing */
async function findSource({ records }: Ports, workspaceId: string, path: string): Promise<ObjectRecord> {
  const id = objectIdInPath(path)
  const object =
    id === null ? undefined : await records.read(['objects'], (transaction) => transaction.get('objects', id))
  if (object?.path !== path || object.workspaceId !== workspaceId || object.kind !== 'conversion-source') {
    throw new ServiceError('NOT_FOUND', 'There is no such source: “source_url” must be the file_path of an upload URL.')
  }
  return object
}

type Places = readonly [given: ObjectRecord, ...others: ObjectRecord[]]

/** The objects for the result. The response names the first one. */
async function findPlaces({ records }: Ports, call: Call<'convert'>, source: ObjectRecord): Promise<Places> {
  const { body, now } = call
  const { resultId } = source
  const promised =
    resultId === undefined
      ? undefined
      : await records.read(['objects'], (transaction) => transaction.get('objects', resultId))
  const format = body.destination_format
  const fits = promised?.format === format ? promised : undefined
  const name = resultName(body.filename, format)
  const own = newObject({
    workspaceId: source.workspaceId,
    kind: 'conversion-result',
    format,
    name,
    now,
    seconds: DOWNLOAD_URL_SECONDS,
  })
  if (!fits) return [own]
  return body.filename === undefined || fits.filename === own.filename ? [fits] : [own, fits]
}

interface Job {
  readonly blob: Blob
  readonly source: ObjectRecord
  readonly places: Places
  readonly to: ObjectRecord['format']
  readonly signal: AbortSignal
}

/**
 * Converts, and stores the result in all places or none.
 * @returns when it was stored, in milliseconds since 1970
 */
async function convertInto(ports: Ports, { blob, source, places, to, signal }: Job): Promise<number> {
  const filled: Filled[] = []
  const fill = async (result: Blob): Promise<void> => {
    for (const place of places) {
      const stored = await ports.objects.put(result.stream(), { maxBytes: Number.MAX_SAFE_INTEGER, signal })
      filled.push({ ...place, ...stored })
    }
  }
  try {
    await ports.tables.convert(blob, { from: source.format, to, filename: source.filename }, fill, signal)
    signal.throwIfAborted()
    return await commit(ports, source, filled)
  } catch (error) {
    await removeUnnamed(
      ports,
      filled.map(({ blobId }) => blobId),
    )
    signal.throwIfAborted()
    throw conversionFailure(error)
  }
}

type Filled = ObjectRecord & { readonly blobId: string }

/** Records the results, and that the source was used, in one transaction. Removes replaced results. */
async function commit(ports: Ports, source: ObjectRecord, filled: readonly Filled[]): Promise<number> {
  const now = ports.clock.now()
  const replaced = await ports.records.write(['objects'], async (transaction) => {
    const before: string[] = []
    for (const object of filled) {
      const { blobId } = (await transaction.get('objects', object.id)) ?? object
      if (blobId !== null && blobId !== object.blobId) before.push(blobId)
      await transaction.put('objects', { ...object, uploadedAt: now, expiresAt: now + DOWNLOAD_URL_SECONDS * 1000 })
    }
    await consume(transaction, source, now)
    return before
  })
  await removeUnnamed(ports, replaced)
  return now
}

/** Removes bytes unless a record refers to them after all. What fails now is left to the sweep. */
async function removeUnnamed({ records, objects, log }: Ports, blobIds: readonly string[]): Promise<void> {
  if (blobIds.length === 0) return
  try {
    const named = await namedBlobs(records)
    for (const blobId of blobIds) if (!named.has(blobId)) await objects.remove(blobId)
  } catch (error) {
    log('bytes of a conversion stay for the sweep', error)
  }
}

/** `POST /convert/upload-urls`: an object for the source, and one for the result. */
export function conversionUrls({ ports, signer }: Deps): Handler<'conversionUrls'> {
  return async ({ context, principal, body, camelCase, now, baseUrl }) => {
    const workspaceId = principal.workspace.id
    const result = newObject({
      workspaceId,
      kind: 'conversion-result',
      format: body.destination_format,
      name: resultName(body.filename, body.destination_format),
      now,
      seconds: DOWNLOAD_URL_SECONDS,
    })
    const source = {
      ...newObject({
        workspaceId,
        kind: 'conversion-source',
        format: body.source_format,
        name: 'source',
        now,
        seconds: UPLOAD_URL_SECONDS,
      }),
      resultId: result.id,
    }
    await ports.records.write(['objects'], async (transaction) => {
      await transaction.put('objects', source)
      await transaction.put('objects', result)
    })
    const data: UploadUrlsData = {
      source: {
        upload_url: await signer.upload(source, baseUrl),
        file_path: source.path,
        content_type: source.contentType,
      },
      destination: {
        download_url: await signer.download(result, baseUrl, result.expiresAt),
        file_path: result.path,
        content_type: result.contentType,
      },
    }
    return success(context, now, camelCase ? toCamelCase(data) : data)
  }
}

/** `GET /convert/formats`: all are readable and writable. */
export function formats(): Handler<'formats'> {
  const entries = SERVICE_FORMATS.map((format): FormatEntry => {
    const { displayName, mimeType } = formatInfo(format)
    return { format, display_name: displayName, mime_type: mimeType, can_read: true, can_write: true }
  })
  return async ({ context, now }) => success(context, now, { formats: entries })
}
