import type { ErrorCode } from '../../contract/errors.ts'
import { ServiceError, unavailability } from '../failures.ts'
import { TablesError } from '../ports.ts'

/** The message for the client, with the position in the file or statement. */
export function messageOf({ message, fields: { place } }: TablesError): string {
  return place === undefined || message.includes(place) ? message : `${place}: ${message}`
}

/** The error code for a file that couldn't be loaded: `SERVICE_UNAVAILABLE` if a retry may succeed. */
export function codeOf(error: TablesError): ErrorCode {
  return OF_SERVICE.has(error.code) ? 'SERVICE_UNAVAILABLE' : 'INVALID_REQUEST'
}

const OF_SERVICE: ReadonlySet<TablesError['code']> = new Set(['out-of-space', 'unavailable', 'timeout'])

/** The response for a failed statement. Other errors are returned unchanged. */
export function queryFailure(error: unknown): unknown {
  if (!(error instanceof TablesError)) return error
  const { line, column, table } = error.fields
  const at = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
  switch (error.code) {
    case 'sql':
    case 'unreadable':
      return new ServiceError('INVALID_REQUEST', messageOf(error), { details: { kind: 'sql', ...at }, cause: error })
    case 'not-allowed':
      return new ServiceError('INVALID_REQUEST', error.message, {
        details: { kind: 'not_allowed', ...at },
        cause: error,
      })
    case 'out-of-memory':
      return new ServiceError('INVALID_REQUEST', error.message, { details: { kind: 'memory' }, cause: error })
    case 'unknown-table':
      return new ServiceError(
        'NOT_FOUND',
        table === undefined
          ? error.message
          : `There is no table ${table} that the API key may read. SHOW ALL TABLES lists those that it may.`,
        { details: table === undefined ? {} : { table }, cause: error },
      )
    case 'timeout':
      return new ServiceError('QUERY_TIMEOUT', error.message, { cause: error })
    case 'out-of-space':
      return unavailability(error)
    case 'unavailable':
      return new ServiceError('SERVICE_UNAVAILABLE', error.message, {
        headers: unavailability(error)?.headers,
        cause: error,
      })
  }
}

/** The response for a failed conversion. Other errors are returned unchanged. */
export function conversionFailure(error: unknown): unknown {
  if (!(error instanceof TablesError)) return error
  if (error.code === 'out-of-space') return unavailability(error)
  const { place } = error.fields
  return new ServiceError(codeOf(error), messageOf(error), {
    details: { kind: error.code.replaceAll('-', '_'), ...(place === undefined ? {} : { place }) },
    headers: unavailability(error)?.headers,
    cause: error,
  })
}
