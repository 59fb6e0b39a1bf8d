// `npm run test:clickhouse`: the server's statements in ClickHouse, run by chDB, against DuckDB. chDB is 0.5 GB and installed
// only for this, in a folder of its own. The statements of the end-to-end tests are recorded first, unless they were; with
// `--record` again, which takes as long as these tests.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBrowser, installPackages, requireNode, root, run } from './setup.mjs'

const CHDB = 'chdb@3.4.0'

requireNode()
installPackages()
const folder = path.join(root, 'node_modules', '.cache', 'chdb')
if (!existsSync(path.join(folder, 'node_modules', 'chdb'))) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-audit', '--no-fund', '--no-save', CHDB]
  if (spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' }).status !== 0) {
    console.log(`${CHDB} can’t be installed here: ClickHouse isn’t tested.`)
    process.exit(0)
  }
}
const args = process.argv.slice(2)
const recorded = path.join(root, 'node_modules', '.cache', 'rowhouse-statements')
if (args.includes('--record') || !existsSync(path.join(recorded, 'statements.jsonl'))) record()
process.exitCode = run('npx', ['vitest', 'run', 'src/server/clickhouse', ...args.filter((arg) => arg !== '--record')])

/** Tests that fail here have been recorded as far as they got. */
function record() {
  const env = { ...process.env, ROWHOUSE_BROWSER: findBrowser(), ROWHOUSE_STATEMENTS: `${recorded}.part` }
  rmSync(env.ROWHOUSE_STATEMENTS, { recursive: true, force: true })
  mkdirSync(env.ROWHOUSE_STATEMENTS, { recursive: true })
  if (run('npx', ['vite', 'build', '--logLevel', 'warn']) !== 0) process.exit(1)
  run('npx', ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=line'], { env })
  rmSync(recorded, { recursive: true, force: true })
  renameSync(env.ROWHOUSE_STATEMENTS, recorded)
}
