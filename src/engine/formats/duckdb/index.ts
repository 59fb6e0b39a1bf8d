export { readableDatabase, readError } from './attached.ts'
export { duckdbReader, listTables } from './reader.ts'
