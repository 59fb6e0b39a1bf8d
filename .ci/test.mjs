// `npm test`: builds, types, lint, format, unit tests, end-to-end tests; one closing line for all.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findBrowser, installPackages, otherBrowsers, requireNode, root, run } from './setup.mjs'

requireNode()
installPackages()
const browser = findBrowser()

const results = path.join(root, 'node_modules', '.cache', 'rowhouse-test')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const total = { passed: 0, failed: 0 }

/** Why tests failed: printed at the end, where whoever reads a long run looks first. */
const reasons = []

/** @param message an error as the test runner prints it: its first lines are shown, without places in the code */
function explain(test, message = 'No reason was given.') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
  reasons.push([test, ...lines.slice(0, 6).map((line) => `    ${line.slice(0, 300)}`)].join('\n'))
}

/** A test that passed only when it was tried again has failed: what is seldom wrong is wrong. */
function inBrowsers({ stats, suites, errors }) {
  const specs = (group) => [...(group.suites ?? []).flatMap(specs), ...(group.specs ?? [])]
  for (const { file, title, tests } of suites.flatMap(specs)) {
    const bad = tests.find(({ status }) => status === 'flaky' || status === 'unexpected')
    const again = bad?.status === 'flaky' ? ', which passed when tried again' : ''
    if (bad) explain(`${file}: “${title}”${again}`, bad.results.find(({ error }) => error)?.error.message)
  }
  for (const { message } of errors) explain('End-to-end tests', message)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}

function inUnits({ numPassedTests, testResults }) {
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults: tests }) => {
      const file = path.relative(root, name)
      const failed = tests.filter(({ status }) => status === 'failed')
      if (failed.length === 0) return [[file, message]]
      return failed.map(({ fullName, failureMessages: [first] }) => [`${file}: “${fullName}”`, first])
    })
  for (const [test, message] of failures) explain(test, message)
  return { passed: numPassedTests, failed: failures.length }
}

/** The same sources are tried with the same random values: what passed here passes elsewhere. */
function seedOfSources() {
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' })
    return String(Number.parseInt(tree.slice(0, 7), 16))
  } catch {
    return '1' // Sources without a repository.
  }
}

function conclude(name, begun, status) {
  const ok = status === 0
  total[ok ? 'passed' : 'failed']++
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${Math.round((Date.now() - begun) / 100) / 10} s)`)
  return ok
}

function check(name, command, args) {
  return conclude(name, Date.now(), run(command, args))
}

/** Runs checks side by side, one a core, and gives the names of those that passed. */
async function checkTogether(checks) {
  const waiting = Object.entries(checks)
  const passed = new Set()
  const next = async () => {
    const [name, [command, ...args] = []] = waiting.shift() ?? []
    if (name === undefined) return
    if (conclude(name, Date.now(), await runCaptured(command, args))) passed.add(name)
    await next()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next))
  return passed
}

/** Gives a command's exit code; what it prints comes in one piece, when it has ended. */
function runCaptured(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const pieces = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece))
    child.on('error', (error) => pieces.push(Buffer.from(`${error.message}\n`)))
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(pieces))
      resolve(status ?? 1)
    })
  })
}

/** Runs a test runner and counts what its JSON report says; a runner that ends without one has failed. */
function suite(name, args, env, count) {
  const report = path.join(results, `${name}.json`)
  const status = run('npx', args(report), { env: { ...process.env, ...env(report) } })
  try {
    const { passed, failed } = count(JSON.parse(readFileSync(report, 'utf8')))
    total.passed += passed
    total.failed += failed
    if (status !== 0 && failed === 0) total.failed++
    console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed`)
  } catch {
    total.failed++
    console.log(`FAIL ${name}: it ended without a report`)
  }
}

const fine = await checkTogether({
  build: ['npx', 'vite', 'build', '--logLevel', 'warn'],
  lint: ['npx', 'oxlint', '--deny-warnings', '--quiet'],
  'build of the server': ['npm', 'run', '--silent', 'build:server', '--', '--logLevel', 'warn'],
  'types of the page': ['npx', 'tsc', '-p', 'src/tsconfig.page.json'],
  'types of the worker': ['npx', 'tsc', '-p', 'src/tsconfig.worker.json'],
  'types of the service': ['npx', 'tsc', '-p', 'src/tsconfig.service.json'],
  'types of the server': ['npx', 'tsc', '-p', 'src/tsconfig.server.json'],
  'types of the kernel': ['npx', 'tsc', '-p', 'src/engine/kernel/assembly'],
  'types of the end-to-end tests': ['npx', 'tsc', '-p', 'e2e/tsconfig.json'],
  format: ['npx', 'oxfmt', '--check', 'src', 'e2e', 'vite.config.ts', '.ci'],
})
const seed = process.env['ROWHOUSE_SEED'] ?? seedOfSources()
console.log(`Random tests begin at ROWHOUSE_SEED=${seed}.`)
suite(
  'unit',
  (report) => ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
  () => ({ ROWHOUSE_SEED: seed }),
  inUnits,
)
if (fine.has('build of the server')) {
  const args = ['query', 'SELECT count(*) AS n FROM types', 'e2e/fixtures/types.parquet']
  check('command line', 'node', ['dist-server/rowhouse.js', ...args])
}
if (fine.has('build')) {
  suite(
    'end-to-end',
    () => ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json'],
    (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report, ROWHOUSE_BROWSER: browser }),
    inBrowsers,
  )
  const others = otherBrowsers()
  suite(
    'other browsers',
    () =>
      'playwright test --config e2e/browsers/playwright.config.ts --reporter=line,json --grep=@short --project=Firefox --project=WebKit'.split(
        ' ',
      ),
    (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...others }),
    inBrowsers,
  )
  const missing = Object.keys(others).filter((name) => others[name] === '')
  const names = missing.map((name) => (name === 'ROWHOUSE_FIREFOX' ? 'Firefox' : 'WebKit')).join(' and ')
  if (names !== '') console.log(`skip ${names}: not installed here; “npm run test:browsers” installs it on Debian`)
}
for (const reason of reasons) console.log(`FAIL ${reason}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
