import { formatCount } from '../../lib/counts.ts'
import { PLAN_LIMITS } from '../limits.ts'
import type { Tag } from './operations.ts'

export const TITLE = 'Public Data and File Conversion API'
export const VERSION = '1.0.0'

const number = (value: number | undefined): string => formatCount(value ?? 0)

/** The introduction about all operations, in CommonMark. */
export const GUIDE = `Loads files into datasets, runs SQL on them, and converts files between CSV, TSV, JSON, Excel and Parquet.

## Authentication

Every request carries an API key, as \`X-API-Key: <key>\` or as \`Authorization: Bearer <key>\`. Both with different keys are refused. Scopes say what a key may do: \`datasets:*:read\` and \`datasets:*:write\` for all datasets of its workspace, \`datasets:<dataset_id>:read\` and \`datasets:<dataset_id>:write\` for one. Writing doesn’t imply reading. A public dataset can be read with any valid key.

## Answers

A success is \`{success: true, data, meta}\`, a failure \`{success: false, error: {code, message, details?}, meta}\`; only \`POST /storage/signed-urls\` answers without an envelope, and only on success. Look at \`success\` before you use \`data\`. \`meta.request_id\` names the request when you ask for help. Unknown fields of a body are ignored; answers may gain fields.

## Uploads and downloads

File contents go to and from signed URLs, which are no endpoints of the service. The signature is the only credential: send no API key there.

- **Upload:** \`PUT\` the bytes to a signed URL within 15 minutes, with the \`Content-Type\` that it was signed for (another one is answered with 400). At most 50 MB (52,428,800 bytes); more is answered with 413 and stores nothing. A file is stored whole or not at all. A second \`PUT\` replaces it until a dataset or a conversion has used it, and is answered with 409 after that. Uploads that nothing uses are removed after 24 hours.
- **Download:** \`GET\` the result of a conversion from its signed URL within 60 minutes. \`Range\` works.
- A wrong or expired signature, or another method, is answered with 403 and the failure envelope.

## Rate limits

Per key. Each request counts once against each window that applies: the plan’s hour (Free ${number(PLAN_LIMITS.free.hour)}, Pro ${number(PLAN_LIMITS.pro.hour)}, Business ${number(PLAN_LIMITS.business.hour)}), and the endpoint’s minute, hour and day where it has them. Windows are fixed, and turn with the UTC minute, hour and day. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` speak of the window with the fewest requests left. When one is full, the answer is 429 with \`Retry-After\`, and the request counts against none. Signed URLs and this document aren’t counted.`

export const TAGS: readonly { readonly name: Tag; readonly description: string }[] = [
  { name: 'Storage', description: 'Where files are uploaded to.' },
  { name: 'Datasets', description: 'Named sets of tables, each loaded from an uploaded file.' },
  { name: 'Query', description: 'SQL over datasets.' },
  { name: 'Conversion', description: 'From one file format to another.' },
]
