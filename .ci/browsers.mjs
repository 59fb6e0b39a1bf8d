// `npm run test:browsers`: the same steps in Chromium, Firefox and WebKit, and a table of what works where.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findBrowser, installDebian, installPackages, otherBrowsers, requireNode, root, run } from './setup.mjs'

requireNode()
installPackages()
const ROWHOUSE_BROWSER = findBrowser()
if (otherBrowsers().ROWHOUSE_FIREFOX === '') installDebian('firefox-esr')
if (otherBrowsers().ROWHOUSE_WEBKIT_DRIVER === '') installDebian('webkit2gtk-driver', 'xvfb')
if (run('npx', ['vite', 'build', '--logLevel', 'warn']) !== 0) process.exit(1)

const report = path.join(root, 'node_modules', '.cache', 'rowhouse-browsers', 'report.json')
rmSync(report, { force: true })
mkdirSync(path.dirname(report), { recursive: true })
const args = ['playwright', 'test', '--config', 'e2e/browsers/playwright.config.ts', '--reporter=list,json']
const env = { ...process.env, ...otherBrowsers(), ROWHOUSE_BROWSER, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
const status = run('npx', [...args, ...process.argv.slice(2)], { env })

const WORDS = { expected: 'yes', flaky: 'yes', unexpected: 'no', skipped: 'not installed' }
const specs = JSON.parse(readFileSync(report, 'utf8')).suites.flatMap((suite) => suite.specs)
const tests = specs.flatMap(({ title, tests: runs }) => runs.map((test) => ({ title, ...test })))
const projects = [...new Set(tests.map(({ projectName }) => projectName))]
const nameOf = (project) =>
  tests
    .filter(({ projectName }) => projectName === project)
    .flatMap(({ results }) => results.flatMap(({ annotations }) => annotations))
    .find(({ type }) => type === 'browser')?.description ?? project
console.log(`\n| | ${projects.map(nameOf).join(' | ')} |`)
console.log(`|---|${projects.map(() => '---|').join('')}`)
for (const title of new Set(tests.map((test) => test.title))) {
  const cells = projects.map((project) => {
    const found = tests.find((test) => test.title === title && test.projectName === project)
    return found ? WORDS[found.status] : 'not run'
  })
  console.log(`| ${title} | ${cells.join(' | ')} |`)
}
process.exit(status)
