// `npm run bench`: builds the app and the benchmark page, and runs every measurement in one go.
import { findBrowser, installPackages, requireNode, run } from './setup.mjs'

requireNode()
installPackages()
const env = { ...process.env, ROWHOUSE_BROWSER: findBrowser() }
if (run('npx', ['vite', 'build', '--logLevel', 'warn']) !== 0) process.exit(1)
if (run('npx', ['vite', 'build', '--config', 'e2e/bench/vite.config.ts', '--logLevel', 'warn']) !== 0) process.exit(1)
const args = ['playwright', 'test', '--config', 'e2e/bench/playwright.config.ts', ...process.argv.slice(2)]
process.exit(run('npx', args, { env }))
