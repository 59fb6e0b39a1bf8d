import type { Issue } from '../../../contract/errors.ts'
import { MAX_TABLES } from '../../../contract/limits.ts'
import { isJsonObject } from '../../../lib/json.ts'
import { foldName } from '../../../lib/names.ts'
import type { Deps } from '../../call.ts'
import type { ObjectRecord, TableRecord } from '../../ports.ts'

/** An upload to load, with the table's name. */
export interface Source {
  readonly name: string
  readonly description: string
  readonly object: ObjectRecord & { readonly blobId: string }
  /** The table that its rows are added to; absent for a new table. */
  readonly onto?: TableRecord
}

interface NamedUpload {
  readonly table_name: string
  readonly signed_url: string
  readonly description?: string | undefined
}

/**
 * The uploads that a body refers to, or all of its issues.
 * @param field name of the body's field
 */
export async function findSources(
  { ports: { records }, signer }: Deps,
  workspaceId: string,
  field: string,
  tables: readonly NamedUpload[],
): Promise<{ readonly sources: readonly Source[]; readonly issues: Issue[] }> {
  const ids = await Promise.all(tables.map(({ signed_url }) => signer.objectIdOf(signed_url)))
  const objects = await records.read(['objects'], (transaction) =>
    Promise.all(ids.map(async (id) => (id === null ? undefined : transaction.get('objects', id)))),
  )
  const sources: Source[] = []
  const issues = sameNames(field, tables)
  for (const [index, { table_name, description }] of tables.entries()) {
    const object = objects[index]
    const path = `${field}[${index}].signed_url`
    if (ids[index] !== null && !object) {
      issues.push({ path, message: 'is of an upload that isn’t kept any more: ask for a new URL' })
    } else if (object?.workspaceId !== workspaceId || object.kind !== 'dataset-upload') {
      issues.push({ path, message: 'must be a URL that POST /storage/signed-urls gave to this workspace' })
    } else if (object.blobId === null) {
      issues.push({ path, message: 'holds no upload yet: PUT the file to it first' })
    } else {
      sources.push({ name: table_name, description: description ?? '', object: { ...object, blobId: object.blobId } })
    }
  }
  return { sources, issues }
}

/**
 * Issues of the uploads that a creation's body refers to. The body is refused for other fields, which may have any type;
 * these are found so that all issues are reported at once.
 */
export async function uploadIssues(deps: Deps, workspaceId: string, json: unknown): Promise<readonly Issue[]> {
  const tables: unknown = isJsonObject(json) ? json['tables'] : null
  if (!Array.isArray(tables) || tables.length > MAX_TABLES) return []
  const uploads = tables.map((table: unknown) => {
    const { table_name: name, signed_url: url } = isJsonObject(table) ? table : {}
    return { table_name: typeof name === 'string' ? name.trim() : '', signed_url: typeof url === 'string' ? url : '' }
  })
  return (await findSources(deps, workspaceId, 'tables', uploads)).issues
}

function sameNames(field: string, tables: readonly NamedUpload[]): Issue[] {
  const first = new Map<string, number>()
  return tables.flatMap(({ table_name }, index) => {
    const key = foldName(table_name)
    const other = first.get(key)
    if (other === undefined) first.set(key, index)
    return other === undefined
      ? []
      : [{ path: `${field}[${index}].table_name`, message: `is the name of ${field}[${other}] too` }]
  })
}
