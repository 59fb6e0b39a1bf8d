// `npm run test:clickhouse`: the server's statements in ClickHouse, run by chDB, against DuckDB. chDB is 0.5 GB and installed
// only for this, in a folder of its own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPackages, requireNode, root, run } from './setup.mjs'

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
process.exitCode = run('npx', ['vitest', 'run', 'src/server/clickhouse', ...process.argv.slice(2)])
