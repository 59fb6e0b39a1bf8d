// The page type-checks against the .d.ts beside this: what lies behind is checked with the worker's settings.
export { unpackArchive } from './archive.ts'
