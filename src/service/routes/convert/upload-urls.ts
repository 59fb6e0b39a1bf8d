import { DOWNLOAD_URL_SECONDS, UPLOAD_URL_SECONDS } from '../../../contract/limits.ts'
import type { UploadUrlsData } from '../../../contract/schemas.ts'
import { toCamelCase } from '../../../contract/spelling.ts'
import type { Handler } from '../../call.ts'
import { success } from '../../http.ts'
import type { Deps } from '../deps.ts'
import { newObject, resultName } from '../object-records.ts'

/** `POST /convert/upload-urls`: a place for the source, and the place where its result will be. */
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
