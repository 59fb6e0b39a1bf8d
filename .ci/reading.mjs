// `npm run reading`: how well files are read that say nothing of themselves. Prints the tables of all `*.reading.ts`,
// and fails where one is below its bar. A name picks some: `npm run reading -- encoding`.
import { installPackages, requireNode, run } from './setup.mjs'

requireNode()
installPackages()
const env = { ...process.env, ROWHOUSE_READING: '1' }
const args = ['vitest', 'run', '--disable-console-intercept', '--passWithNoTests', ...process.argv.slice(2)]
process.exit(run('npx', args, { env }))
