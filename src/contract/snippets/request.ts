import { operations, type Operation, type OperationId } from '../operations.ts'

/** A request to the service, but for the key: that is never written down. */
export interface RequestParts {
  /** Upper case. */
  readonly method: string
  readonly url: string
  /** JSON, as text; null when there's none. */
  readonly body: string | null
}

/** What goes into an operation's place holders. Empty values of `query` are left out. */
export interface Values {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string | null
}

/** The address of a path with its place holders filled in: `{datasetId}` stays readable while it's empty. */
export function requestUrl(baseUrl: string, path: string, { params = {}, query = {} }: Values): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (hole, name: string) => {
    const value = params[name]
    return value ? encodeURIComponent(value) : encodeURIComponent(hole)
  })
  const search = Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search ? `?${search}` : ''}`
}

/** A request for one of the operations. */
export function operationRequest(
  id: OperationId,
  baseUrl: string,
  values: Omit<Values, 'body'> & { readonly body?: unknown },
): RequestParts {
  const { method, path, body }: Operation = operations[id]
  return {
    method: method.toUpperCase(),
    url: requestUrl(baseUrl, path, { params: values.params ?? {}, query: values.query ?? {} }),
    body: body ? JSON.stringify(values.body ?? {}, null, 2) : null,
  }
}
