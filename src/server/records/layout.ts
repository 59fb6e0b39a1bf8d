import type {
  DatasetRecord,
  KeyRecord,
  ObjectRecord,
  SecretRecord,
  StoreName,
  Stores,
  WorkspaceRecord,
} from '../../service/ports.ts'

/* How each store's records lie in its table: whole as JSON, and what is asked for in columns beside it. */

interface Layout<R> {
  /** Columns beside `id` and `record`, with what they hold. */
  readonly columns: Readonly<Record<string, (record: R) => string>>
  /** The columns of the port's indexes. */
  readonly indexes: Readonly<Record<string, readonly string[]>>
  readonly encode: (record: R) => string
  /** @param json as the driver gives it: parsed */
  readonly decode: (json: unknown) => R
}

/** A record whose JSON is the record. */
function plain<R extends object>(): Pick<Layout<R>, 'encode' | 'decode'> {
  return { encode: (record) => JSON.stringify(record), decode: (json) => json as R }
}

const LAYOUTS: { readonly [S in StoreName]: Layout<Stores[S]> } = {
  workspaces: {
    columns: { slug: ({ slug }: WorkspaceRecord) => slug },
    indexes: { slug: ['slug'] },
    ...plain(),
  },
  keys: {
    columns: {
      hash: ({ hash }: KeyRecord) => hash,
      workspace_id: ({ workspaceId }: KeyRecord) => workspaceId,
    },
    indexes: { hash: ['hash'], workspaceId: ['workspace_id'] },
    ...plain(),
  },
  datasets: {
    columns: {
      workspace_id: ({ workspaceId }: DatasetRecord) => workspaceId,
      visibility: ({ visibility }: DatasetRecord) => visibility,
      name_key: ({ nameKey }: DatasetRecord) => nameKey,
    },
    indexes: { workspaceId: ['workspace_id'], visibility: ['visibility'], name: ['workspace_id', 'name_key'] },
    ...plain(),
  },
  objects: {
    columns: { workspace_id: ({ workspaceId }: ObjectRecord) => workspaceId },
    indexes: { workspaceId: ['workspace_id'] },
    ...plain(),
  },
  counters: { columns: {}, indexes: {}, ...plain() },
  secrets: {
    columns: {},
    indexes: {},
    encode: ({ id, value }: SecretRecord) => JSON.stringify({ id, value: Buffer.from(value).toString('base64') }),
    decode: (json) => {
      const { id, value } = json as { readonly id: string; readonly value: string }
      return { id, value: new Uint8Array(Buffer.from(value, 'base64')) }
    },
  },
}

export const STORES = Object.keys(LAYOUTS) as readonly StoreName[]

/** The statement that puts a record into its store, in place of one of the same id. */
export function putting<S extends StoreName>(
  store: S,
  record: Stores[S],
): { readonly sql: string; readonly parameters: readonly string[] } {
  const { columns, encode }: Layout<Stores[S]> = LAYOUTS[store]
  const names = ['id', ...Object.keys(columns), 'record']
  const values = [record.id, ...Object.values(columns).map((of) => of(record)), encode(record)]
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`)
  return {
    sql: `INSERT INTO ${tableOf(store)} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})
      ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    parameters: values,
  }
}

export function tableOf(store: StoreName): string {
  return `rowhouse.${store}`
}

/** The condition that a record is found by an index's values, `$1`, `$2`, ... */
export function foundBy(store: StoreName, index: string): string {
  const columns = LAYOUTS[store].indexes[index]
  if (columns === undefined) throw new Error(`${store} has no index ${index}`)
  return columns.map((column, i) => `${column} = $${i + 1}`).join(' AND ')
}

export function decode<S extends StoreName>(store: S, json: unknown): Stores[S] {
  const { decode: own }: Layout<Stores[S]> = LAYOUTS[store]
  return own(json)
}
