import { EngineError } from '../errors.ts'

/** Tables lie in this folder of the origin's private file system, a folder a creation. */
export const TABLES_FOLDER = 'tables'
/** Outputs lie in this one, a folder a job. */
export const OUTPUT_FOLDER = 'outputs'
/** What is being written carries it until it's whole. */
export const PART_SUFFIX = '.part'
const EXTENSION = '.db'

/** Tables of files that were added to be queried, and aren't published. */
export const LOCAL_TABLES_FOLDER = 'local-tables'

/** Held while tables are being made under a creation's id: what it holds, no tab sweeps. */
export const creationLock = (creationId: string, folder: string): string => `rowhouse-${folder}-${creationId}`

const ID = /^[A-Za-z0-9_-]{1,64}$/

/** Where a table's file is: its folder, and its name in that. */
export interface TablePath {
  readonly creationId: string
  readonly name: string
}

/** @throws {EngineError} `internal` when the id isn't one that this store gave */
export function tablePath(fileId: string): TablePath {
  const [creationId = '', tableId = '', ...rest] = fileId.split('/')
  if (!ID.test(creationId) || !ID.test(tableId) || rest.length > 0) {
    throw new EngineError('internal', 'That is no table’s file.')
  }
  return { creationId, name: tableId + EXTENSION }
}

export function newFileId(creationId: string): string {
  return `${creationId}/${crypto.randomUUID()}`
}

/** The id of what lies under a name in a creation's folder; null for what isn't whole. */
export function fileIdOf(creationId: string, name: string): string | null {
  return name.endsWith(EXTENSION) ? `${creationId}/${name.slice(0, -EXTENSION.length)}` : null
}

/** The name of the one table in a file: unique, so that a plan's scan tells which file it's of, and unguessable. */
export function physicalName(fileId: string): string {
  return `t_${(fileId.split('/')[1] ?? '').replaceAll('-', '')}`
}
