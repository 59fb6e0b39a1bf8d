// `npm run unit:fast`: the unit tests without those that take long: random tables, damaged files, DuckDB as the judge.
import { requireNode, run } from './setup.mjs'

const LONG = [
  'src/**/*{corrupt,damage,damaged,full-disk,fuzz,halves,hostile,lasting,measured,oracle,pairs,parts,random,round-trip,roundtrip,sheetjs,sums}.test.ts',
  'src/contract/snippets/**',
  'src/engine/bad-input/**',
  'src/engine/convert/**',
  'src/engine/formats/duckdb/**',
  'src/engine/kernel/**',
  'src/engine/sql/**',
  'src/engine/storage/**',
  'src/service/backup/**',
  'src/service/routes/convert/**',
]

requireNode()
const excluded = LONG.flatMap((pattern) => ['--exclude', pattern])
// Files share what they import: loading it anew for each takes as long as the tests. `npm test` keeps them apart.
process.exit(run('npx', ['vitest', 'run', '--no-isolate', '--reporter=dot', ...excluded, ...process.argv.slice(2)]))
