export { duckdbReader } from './reader.ts'
