import type {
  CounterRecord,
  DatasetRecord,
  KeyRecord,
  ObjectRecord,
  SecretRecord,
  StoreName,
  Stores,
  WorkspaceRecord,
} from '../../service/ports.ts'

/* How each store's records are stored in its table: as JSON, with columns for what statements use. */

type Value = string | number | null

interface Layout<R> {
  /** Columns besides `id`, with functions that return their values. */
  readonly columns: Readonly<Record<string, (record: R) => Value>>
  /** The columns of the port's indexes. */
  readonly indexes: Readonly<Record<string, readonly string[]>>
  /** The columns from which a record is read. */
  readonly read: readonly string[]
  /** @param row from the driver, with parsed JSON and `bigint` as text */
  readonly decode: (row: never) => R
}

/** For stores whose JSON is the whole record. */
function plain<R extends object>(): Pick<Layout<R>, 'read' | 'decode'> {
  return { read: ['record'], decode: ({ record }: { readonly record: R }) => record }
}

const json = (record: object): string => JSON.stringify(record)

const LAYOUTS: { readonly [S in StoreName]: Layout<Stores[S]> } = {
  workspaces: {
    columns: {
      slug: ({ slug }: WorkspaceRecord) => slug,
      plan: ({ plan }) => plan,
      record: json,
    },
    indexes: { slug: ['slug'] },
    ...plain(),
  },
  keys: {
    columns: {
      hash: ({ hash }: KeyRecord) => hash,
      workspace_id: ({ workspaceId }: KeyRecord) => workspaceId,
      expires_at: ({ expiresAt }) => expiresAt,
      revoked_at: ({ revokedAt }) => revokedAt,
      last_used_at: ({ lastUsedAt }) => lastUsedAt,
      record: json,
    },
    indexes: { hash: ['hash'], workspaceId: ['workspace_id'] },
    read: ['record', 'last_used_at'],
    decode: ({ record, last_used_at: at }: { readonly record: KeyRecord; readonly last_used_at: string | null }) =>
      usedAt(record, at),
  },
  datasets: {
    columns: {
      workspace_id: ({ workspaceId }: DatasetRecord) => workspaceId,
      visibility: ({ visibility }: DatasetRecord) => visibility,
      name_key: ({ nameKey }: DatasetRecord) => nameKey,
      record: json,
    },
    indexes: { workspaceId: ['workspace_id'], visibility: ['visibility'], name: ['workspace_id', 'name_key'] },
    ...plain(),
  },
  objects: {
    columns: { workspace_id: ({ workspaceId }: ObjectRecord) => workspaceId, record: json },
    indexes: { workspaceId: ['workspace_id'] },
    ...plain(),
  },
  counters: {
    columns: { start: ({ start }: CounterRecord) => start, count: ({ count }: CounterRecord) => count },
    indexes: {},
    // Those that were admitted, of those that are reserved. Changing or removing a counter removes its row there.
    read: ['id', 'start', 'coalesce((SELECT c.count FROM rowhouse.counts c WHERE c.id = counters.id), count) AS count'],
    decode: ({ id, start, count }: { readonly id: string; readonly start: string; readonly count: number }) => {
      return { id, start: Number(start), count }
    },
  },
  secrets: {
    columns: {
      record: ({ id, value }: SecretRecord) => json({ id, value: Buffer.from(value).toString('base64') }),
    },
    indexes: {},
    read: ['record'],
    decode: ({ record: { id, value } }: { readonly record: { readonly id: string; readonly value: string } }) => {
      return { id, value: new Uint8Array(Buffer.from(value, 'base64')) }
    },
  },
}

/** Adds when a key was last used. That's stored in a column, so that admitting a request needs to change only that. */
export function usedAt(key: KeyRecord, at: string | number | null): KeyRecord {
  return { ...key, lastUsedAt: at === null ? null : Number(at) }
}

export const STORES = Object.keys(LAYOUTS) as readonly StoreName[]

/** The statement that stores a record, replacing one with the same id. */
export function putting<S extends StoreName>(
  store: S,
  record: Stores[S],
): { readonly sql: string; readonly parameters: readonly Value[] } {
  const { columns }: Layout<Stores[S]> = LAYOUTS[store]
  const names = ['id', ...Object.keys(columns)]
  const values = [record.id, ...Object.values(columns).map((of) => of(record))]
  const changed = [...names.slice(1), ...(store === 'datasets' ? ['change'] : [])]
  const updates = changed.map((name) => `${name} = excluded.${name}`)
  return {
    sql: `INSERT INTO ${tableOf(store)} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})
      ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    parameters: values,
  }
}

export function tableOf(store: StoreName): string {
  return `rowhouse.${store}`
}

/** The condition that finds records by an index's values `$1`, `$2`, ... */
export function foundBy(store: StoreName, index: string): string {
  const columns = LAYOUTS[store].indexes[index]
  if (columns === undefined) throw new Error(`${store} has no index ${index}`)
  return columns.map((column, i) => `${column} = $${i + 1}`).join(' AND ')
}

/** The SELECT list to read a store's records. */
export function columnsOf(store: StoreName): string {
  return LAYOUTS[store].read.join(', ')
}

export function decode<S extends StoreName>(store: S, row: unknown): Stores[S] {
  const { decode: own }: Layout<Stores[S]> = LAYOUTS[store]
  return own(row as never)
}
