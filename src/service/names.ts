export { foldName } from '../lib/names.ts'
