import { formatCount } from '../../lib/counts.ts'
import { PLAN_LIMITS } from '../limits.ts'
import type { Tag } from './operations.ts'

export const TITLE = 'Public Data and File Conversion API'
export const VERSION = '1.0.0'

const number = (value: number | undefined): string => formatCount(value ?? 0)

/** The introduction about all operations, in CommonMark. */
export const GUIDE = `Loads files into datasets, runs SQL on them, and converts files between CSV, TSV, JSON, Excel and Parquet.

## Authentication

Every request needs an API key, as \`X-API-Key: <key>\` or as \`Authorization: Bearer <key>\`. A request with both headers and different keys is refused. Scopes say what a key may do: \`datasets:*:read\` and \`datasets:*:write\` for all datasets of its workspace, \`datasets:<dataset_id>:read\` and \`datasets:<dataset_id>:write\` for one. Writing doesn’t imply reading. A public dataset can be read with any valid key.

## Answers

A success is \`{success: true, data, meta}\`, a failure \`{success: false, error: {code, message, details?}, meta}\`; only \`POST /storage/signed-urls\` answers without an envelope, and only on success. Check \`success\` before you use \`data\`. Quote \`meta.request_id\` when you ask for help. Unknown fields of a body are ignored; fields may be added to answers later.

## Uploads and downloads

Files are uploaded to and downloaded from signed URLs, which aren’t endpoints of the service. The signature is the only credential: don’t send an API key there.

- **Upload:** \`PUT\` the bytes to a signed URL within 15 minutes, with the \`Content-Type\` that it was signed for (any other is answered with 400). A file may have at most 50 MB (52,428,800 bytes); a larger one is answered with 413 and isn’t stored. A file is stored completely or not at all. A second \`PUT\` replaces it until a dataset or a conversion has used it, and is answered with 409 after that. Unused uploads are removed after 24 hours.
- **Download:** \`GET\` the result of a conversion from its signed URL within 60 minutes. \`Range\` works.
- A wrong or expired signature, or another method, is answered with 403 and the failure envelope.

## Rate limits

Limits apply to each key. Each request counts once against each window that applies: the plan’s hour (Free ${number(PLAN_LIMITS.free.hour)}, Pro ${number(PLAN_LIMITS.pro.hour)}, Business ${number(PLAN_LIMITS.business.hour)}), and the endpoint’s minute, hour and day if it has such limits. Windows are fixed: they begin with each UTC minute, hour and day. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are those of the window with the fewest requests left. If a window is full, the answer is 429 with \`Retry-After\`, and the request doesn’t count against any. Requests for signed URLs’ files and for this document don’t count.`

export const TAGS: readonly { readonly name: Tag; readonly description: string }[] = [
  { name: 'Storage', description: 'URLs to upload files to.' },
  { name: 'Datasets', description: 'Named sets of tables, each loaded from an uploaded file.' },
  { name: 'Query', description: 'SQL on datasets.' },
  { name: 'Conversion', description: 'Files from one format to another.' },
]
