// `npm run test:server`: the tests of the service over each host, and whether all of them answer the same;
// then ClickHouse's, if chDB is installed.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { requireNode, root, run } from './setup.mjs'

requireNode()
const folder = path.join(root, 'node_modules', '.cache', 'rowhouse-hosts')
rmSync(folder, { recursive: true, force: true })
const hosts = ['memory', 'embedded']
if (spawnSync('pg_config', ['--bindir']).status === 0) hosts.push('cluster')
else console.log('skip PostgreSQL and S3: PostgreSQL isn’t installed here')

/** Answers by the tests that they are of. Those that come at once come in any order. */
function transcriptOf(host) {
  const tests = new Map()
  for (const name of readdirSync(path.join(folder, host))) {
    for (const line of readFileSync(path.join(folder, host, name), 'utf8')
      .trimEnd()
      .split('\n')) {
      const { test, ...answer } = JSON.parse(line)
      tests.set(test, [...(tests.get(test) ?? []), JSON.stringify(answer)])
    }
  }
  for (const answers of tests.values()) answers.sort()
  return tests
}

/** What can't be the same, by the tests' names. */
const BY_NATURE = [
  // Over HTTP, who has left before anything is sent sends nothing; in process the request is counted.
  / > before anything loads leaves nothing behind$/,
  // HTTP servers refuse headers of such a size themselves (431).
  / > that is megabytes long is refused$/,
  // Of requests that come at once any may be the first.
  / > (?:if two requests use the same name at once, |only a repeated request is told |doesn’t lose rows of another call that adds to the same table )/,
  // Tables of one request are loaded at once: the call that fails may be that of either.
  / > PATCH with add_tables > is atomic if a call to a port fails \((?:before|after|from)\)$/,
  / > if any call to a port fails > \((?:before|after|from)\) while a dataset is created$/,
  // Keys of one name that were made in the same millisecond: their ids, which are random, decide.
  / > that doesn’t exist, was revoked or has expired is refused$/,
]

let failed = 0
for (const host of hosts) {
  const env = { ROWHOUSE_HOST: host, ROWHOUSE_TRANSCRIPT: path.join(folder, host), ROWHOUSE_SEED: '1' }
  mkdirSync(env.ROWHOUSE_TRANSCRIPT, { recursive: true })
  console.log(`\n${host}`)
  // Processes that load files and run statements take long on a busy machine.
  const args = [
    'vitest',
    'run',
    '--reporter=dot',
    '--testTimeout=600000',
    '--project=service on a server',
    ...process.argv.slice(2),
  ]
  if (run('npx', args, { env: { ...process.env, ...env } }) !== 0) failed++
}

const [first, ...others] = hosts.map(transcriptOf)
for (const name of process.argv.length > 2 ? [] : BY_NATURE) {
  if ([...first.keys()].some((test) => name.test(test))) continue
  console.log(`no test has a name like ${name}: it was renamed`)
  failed++
}
for (const [i, other] of others.entries()) {
  let [answers, differences, skipped] = [0, 0, 0]
  for (const test of new Set([...first.keys(), ...other.keys()])) {
    const [expected, actual] = [first.get(test) ?? [], other.get(test) ?? []]
    if (BY_NATURE.some((name) => name.test(test))) {
      skipped += expected.length
      continue
    }
    answers += expected.length
    for (let at = 0; at < Math.max(expected.length, actual.length); at++) {
      if (expected[at] === actual[at]) continue
      differences++
      console.log(`\n${test}\n  ${hosts[0]}: ${expected[at]}\n  ${hosts[i + 1]}: ${actual[at]}`)
    }
  }
  console.log(
    `${hosts[i + 1]}: ${answers} answers compared with those of ${hosts[0]}, ${differences} differences; ${skipped} differ by nature`,
  )
  if (differences > 0 || answers === 0) failed++
}

if (process.argv.length === 2 && existsSync(path.join(root, 'node_modules', '.cache', 'chdb'))) {
  console.log('\nClickHouse')
  if (run('node', ['.ci/clickhouse.mjs']) !== 0) failed++
} else console.log('skip ClickHouse: “npm run test:clickhouse” installs chDB')
process.exit(failed === 0 ? 0 : 1)
