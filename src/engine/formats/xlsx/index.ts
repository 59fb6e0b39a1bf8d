export { xlsxReader } from './read/read.ts'
export { xlsxWriter } from './write/write.ts'
