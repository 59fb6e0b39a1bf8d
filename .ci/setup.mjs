// What `npm start` and `npm test` need on a fresh machine. Node's own modules only: it runs before any install.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const MINIMUM = [20, 19]
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Runs a command in the project and gives its exit code; its output goes where ours does. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error && error.code !== 'ETIMEDOUT' && error.code !== 'ENOENT') throw error
  return status ?? 1
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  console.error(`Rowhouse needs Node ${MINIMUM.join('.')} or later; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Installs the packages when they're missing or not those of the lock file. */
export function installPackages(options = {}) {
  const lock = path.join(root, 'package-lock.json')
  const installed = path.join(root, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && sameVersions(lock, installed)) return
  const npm = (command) =>
    run('npm', [command, '--no-audit', '--no-fund'], { shell: process.platform === 'win32', ...options })
  // A registry that lacks another platform's binary makes `ci` refuse the lock file, and `install` not.
  if (npm('ci') !== 0 && npm('install') !== 0) process.exit(1)
}

function sameVersions(lock, installed) {
  const wanted = JSON.parse(readFileSync(lock, 'utf8')).packages
  const found = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).every(
    ([name, { version, optional }]) => name === '' || optional || found[name]?.version === version,
  )
}

/**
 * Builds what isn't built, or is older than what it's made of; its output goes to standard error.
 * @param made a file of the build
 * @param args of `vite build`
 * @param sources files and folders of the project
 */
export function buildWhereStale(made, args, sources) {
  if (existsSync(made) && sources.every((source) => newest(path.join(root, source)) <= statSync(made).mtimeMs)) return
  if (run('npx', ['vite', 'build', '--logLevel', 'warn', ...args], quiet) !== 0) process.exit(1)
}

/** What a program is started by has standard output to itself. */
export const quiet = { stdio: ['ignore', process.stderr, process.stderr], shell: process.platform === 'win32' }

function newest(place) {
  if (!statSync(place).isDirectory()) return statSync(place).mtimeMs
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(0, ...files.map((file) => statSync(path.join(file.parentPath, file.name)).mtimeMs))
}

/** The path of a Chromium: an installed one, else Playwright's, else Debian's package. */
export function findBrowser() {
  const wanted = process.env['ROWHOUSE_BROWSER']
  if (wanted) return wanted
  const found = installedBrowser()
  if (found) return found
  // Offline it fails in seconds; a network that drops packets would keep it for minutes.
  if (run('npx', ['playwright', 'install', 'chromium'], { timeout: 180_000 }) === 0) return ''
  installDebian('chromium')
  const got = installedBrowser()
  if (got) return got
  console.error('The end-to-end tests need a Chromium. Install one, or set ROWHOUSE_BROWSER to its path.')
  process.exit(1)
}

function installedBrowser() {
  return findInstalled(BROWSERS, PLACES)
}

/** The variables that tell the steps in `e2e/browsers` where the other browsers are: empty for one that isn't installed. */
export function otherBrowsers() {
  const screen = findInstalled(['xvfb-run'])
  return {
    ROWHOUSE_FIREFOX:
      findInstalled(['firefox-esr', 'firefox'], ['/Applications/Firefox.app/Contents/MacOS/firefox']) ?? '',
    ROWHOUSE_WEBKIT_DRIVER: (screen && findInstalled(['WebKitWebDriver'])) ?? '',
  }
}

/** Installs packages of Debian's, where there's such a system. */
export function installDebian(...packages) {
  if (!existsSync('/usr/bin/apt-get')) return
  run('apt-get', ['update', '-q'])
  run('apt-get', ['install', '-q', '-y', ...packages], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}

function findInstalled(names, places = []) {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  const candidates = [...folders.flatMap((folder) => names.map((name) => path.join(folder, name))), ...places]
  return candidates.find((candidate) => existsSync(candidate))
}
