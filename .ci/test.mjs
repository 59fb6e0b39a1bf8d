// `npm test`: types, lint, format, unit tests, build, end-to-end tests; one closing line for all.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findBrowser, installPackages, otherBrowsers, requireNode, root, run } from './setup.mjs'

requireNode()
installPackages()
const browser = findBrowser()

const results = path.join(root, 'node_modules', '.cache', 'rowhouse-test')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const total = { passed: 0, failed: 0 }

/** A test that passed only when it was tried again has failed: what is seldom wrong is wrong. */
function inBrowsers({ stats, suites }) {
  const flaky = (group) => [
    ...(group.suites ?? []).flatMap(flaky),
    ...(group.specs ?? []).filter((spec) => spec.tests.some((test) => test.status === 'flaky')),
  ]
  for (const { file, title } of suites.flatMap(flaky))
    console.log(`FAIL ${file}: “${title}” passed only when tried again`)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
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

function check(name, command, args) {
  const begun = Date.now()
  const ok = run(command, args) === 0
  total[ok ? 'passed' : 'failed']++
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${Math.round((Date.now() - begun) / 100) / 10} s)`)
  return ok
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

check('types of the page', 'npx', ['tsc', '-p', 'src/tsconfig.page.json'])
check('types of the worker', 'npx', ['tsc', '-p', 'src/tsconfig.worker.json'])
check('types of the service', 'npx', ['tsc', '-p', 'src/tsconfig.service.json'])
check('types of the server', 'npx', ['tsc', '-p', 'src/tsconfig.server.json'])
check('types of the kernel', 'npx', ['tsc', '-p', 'src/engine/kernel/assembly'])
check('types of the end-to-end tests', 'npx', ['tsc', '-p', 'e2e/tsconfig.json'])
check('lint', 'npx', ['oxlint', '--deny-warnings', '--quiet'])
check('format', 'npx', ['oxfmt', '--check', 'src', 'e2e', 'vite.config.ts', '.ci'])
const seed = process.env['ROWHOUSE_SEED'] ?? seedOfSources()
console.log(`Random tests begin at ROWHOUSE_SEED=${seed}.`)
suite(
  'unit',
  (report) => ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
  () => ({ ROWHOUSE_SEED: seed }),
  (json) => ({
    passed: json.numPassedTests,
    failed:
      json.numFailedTests +
      json.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
  }),
)
if (check('build of the server', 'npm', ['run', '--silent', 'build:server', '--', '--logLevel', 'warn'])) {
  const args = ['query', 'SELECT count(*) AS n FROM types', 'e2e/fixtures/types.parquet']
  check('command line', 'node', ['dist-server/rowhouse.js', ...args])
}
if (check('build', 'npx', ['vite', 'build', '--logLevel', 'warn'])) {
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
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
