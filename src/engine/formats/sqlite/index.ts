export { sqliteReader } from './reader.ts'
