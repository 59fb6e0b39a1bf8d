// `npm run language`: how much of DuckDB's functions that are built here does what native DuckDB does. Prints the share of
// each group of `*.language.ts`, and what differs.
import { installPackages, requireNode, run } from './setup.mjs'

requireNode()
installPackages()
const env = { ...process.env, ROWHOUSE_LANGUAGE: '1' }
process.exit(run('npx', ['vitest', 'run', '--disable-console-intercept', ...process.argv.slice(2)], { env }))
