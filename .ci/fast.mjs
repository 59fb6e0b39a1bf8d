// `npm run unit:fast`: the unit tests without those that take long.
import { requireNode, run } from './setup.mjs'

requireNode()
const projects = ['--project=node', '--project=components']
process.exit(run('npx', ['vitest', 'run', '--reporter=dot', ...projects, ...process.argv.slice(2)]))
