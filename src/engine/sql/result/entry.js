// The page type-checks against the .d.ts beside this: what lies behind is checked with the worker's settings.
export { tools } from './tools.ts'
