// `npm run rowhouse -- …`: installs and builds what is missing, and runs the command line where npm was called.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildWhereStale, installPackages, quiet, requireNode, root } from './setup.mjs'

requireNode()
installPackages(quiet)
const program = path.join(root, 'dist-server', 'rowhouse.js')
buildWhereStale(program, ['--config', 'src/server/vite.config.ts'], ['src', 'package.json', 'package-lock.json'])
process.chdir(process.env['INIT_CWD'] ?? process.cwd())
await import(pathToFileURL(program).href)
