import type { ServiceFormat } from '../../../contract/schemas.ts'
import { stem } from '../object-records.ts'

/** What the result of a conversion is called, without extension; the caller's, when there is one. */
export function resultName(filename: string | undefined, format: ServiceFormat): string {
  return filename === undefined ? 'converted' : stem(filename, format)
}
