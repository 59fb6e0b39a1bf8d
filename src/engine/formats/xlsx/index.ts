export { xlsxReader } from './read.ts'
export { xlsxWriter } from './write.ts'
