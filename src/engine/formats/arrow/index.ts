export { arrowReader } from './reader.ts'
export { arrowWriter } from './writer.ts'
