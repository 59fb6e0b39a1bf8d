import { formatInfo } from '../../../contract/formats.ts'
import { SERVICE_FORMATS } from '../../../contract/limits.ts'
import type { FormatEntry } from '../../../contract/schemas.ts'
import type { Handler } from '../../call.ts'
import { success } from '../../http.ts'

/** `GET /convert/formats`: each is read and written. */
export function formats(): Handler<'formats'> {
  const entries = SERVICE_FORMATS.map((format): FormatEntry => {
    const { displayName, mimeType } = formatInfo(format)
    return { format, display_name: displayName, mime_type: mimeType, can_read: true, can_write: true }
  })
  return async ({ context, now }) => success(context, now, { formats: entries })
}
