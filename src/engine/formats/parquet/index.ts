export { parquetReader } from './reader.ts'
export { parquetWriter } from './writer.ts'
