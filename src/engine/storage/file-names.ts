import { EngineError } from '../errors.ts'

/** Folder of tables in the origin's private file system, with a subfolder per creation. */
export const TABLES_FOLDER = 'tables'
/** Folder of outputs, with a subfolder per job. */
export const OUTPUT_FOLDER = 'outputs'
/** Suffix of incomplete files. */
export const PART_SUFFIX = '.part'
const EXTENSION = '.db'

/** Folder of tables from files that were added for queries, but aren't published. */
export const LOCAL_TABLES_FOLDER = 'local-tables'

/** Name of the lock that is held while tables are created under a creation's id, so that no tab removes its files. */
export const creationLock = (creationId: string, folder: string): string => `rowhouse-${folder}-${creationId}`

const ID = /^[A-Za-z0-9_-]{1,64}$/

/** The path of a table's file: its folder, and its name there. */
interface TablePath {
  readonly creationId: string
  readonly name: string
}

/** @throws {EngineError} `internal` if the id isn't from this store */
export function tablePath(fileId: string): TablePath {
  const [creationId = '', tableId = '', ...rest] = fileId.split('/')
  if (!ID.test(creationId) || !ID.test(tableId) || rest.length > 0) {
    throw new EngineError('internal', 'This isn’t a table’s file.')
  }
  return { creationId, name: tableId + EXTENSION }
}

export function newFileId(creationId: string): string {
  return `${creationId}/${crypto.randomUUID()}`
}

/** The id for a file name in a creation's folder; null for incomplete files. */
export function fileIdOf(creationId: string, name: string): string | null {
  return name.endsWith(EXTENSION) ? `${creationId}/${name.slice(0, -EXTENSION.length)}` : null
}

/** The name of the only table in a file: unique, so that a scan in a plan identifies the file, and unguessable. */
export function physicalName(fileId: string): string {
  return `t_${(fileId.split('/')[1] ?? '').replaceAll('-', '')}`
}
