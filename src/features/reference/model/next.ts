import { fields, list, text } from './document.ts'
import type { Outcome } from './send.ts'

/** Next steps that an answer makes possible. */
interface Next {
  /** URLs for uploads, with the required content type. */
  readonly uploads: readonly { readonly label: string; readonly url: string; readonly contentType: string }[]
  /** URL of a result. */
  readonly download: string | null
  /** `source.file_path` for a conversion. */
  readonly sourcePath: string | null
}

/** Finds URLs in an answer. `sent` is the request's body, which has the content types. */
export function nextOf(operation: string, outcome: Outcome, sent: string | null): Next {
  const none: Next = { uploads: [], download: null, sourcePath: null }
  if (outcome.status !== 200) return none
  const answer = fields(parse(outcome.text))
  const data = fields(answer['data'])
  if (operation === 'signUploads') {
    const types = contentTypes(sent)
    const urls = list(answer['urls']).map(fields)
    const uploads = urls.map((one, index) => ({
      label: text(one['filename']),
      url: text(one['signed_url']),
      contentType: types[index] ?? 'application/octet-stream',
    }))
    return { ...none, uploads }
  }
  if (operation === 'conversionUrls') {
    const source = fields(data['source'])
    const upload = { label: 'the source', url: text(source['upload_url']), contentType: text(source['content_type']) }
    return { ...none, uploads: [upload], sourcePath: text(source['file_path']) }
  }
  return operation === 'convert' ? { ...none, download: text(data['download_url']) || null } : none
}

function contentTypes(sent: string | null): readonly string[] {
  return list(fields(parse(sent ?? ''))['files']).map((file) => text(fields(file)['content_type']))
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
