import { UPLOAD_URL_SECONDS } from '../../contract/limits.ts'
import type { SignedUrl } from '../../contract/schemas.ts'
import { formatOfContentType } from '../../contract/spelling.ts'
import type { Handler, Deps } from '../call.ts'
import { newObject, stem } from './object-records.ts'

/** `POST /storage/signed-urls`: an object and an upload URL for each file. */
export function signUploads({ ports, signer }: Deps): Handler<'signUploads'> {
  return async ({ context, principal, body, now, baseUrl }) => {
    // All types are known, since the body was checked.
    const objects = body.files.flatMap(({ filename, content_type }) => {
      const format = formatOfContentType(content_type, filename)
      return format
        ? newObject({
            workspaceId: principal.workspace.id,
            kind: 'dataset-upload',
            format,
            name: stem(filename, format),
            filename,
            contentType: content_type.trim(),
            now,
            seconds: UPLOAD_URL_SECONDS,
          })
        : []
    })
    await ports.records.write(['objects'], async (transaction) => {
      for (const object of objects) await transaction.put('objects', object)
    })
    const urls = await Promise.all(
      objects.map(async (object, index): Promise<SignedUrl> => ({
        filename: body.files[index]?.filename ?? object.filename,
        signed_url: await signer.upload(object, baseUrl),
        expires_at: new Date(object.expiresAt).toISOString(),
      })),
    )
    return context.json({ urls })
  }
}
