// `npm run serve`: installs and builds what is missing, and serves the app and the service.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { buildWhereStale, installPackages, quiet, requireNode, root } from './setup.mjs'

requireNode()
// What the server tells is on standard output: all else goes to the other.
installPackages(quiet)
const app = path.join(root, 'dist')
const page = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json', 'package-lock.json']
buildWhereStale(path.join(app, 'index.html'), [], page)
const server = path.join(root, 'dist-server', 'server.js')
buildWhereStale(server, ['--config', 'src/server/vite.config.ts'], ['src', 'package.json', 'package-lock.json'])

const cwd = process.env['INIT_CWD'] ?? process.cwd()
const child = spawn(process.execPath, [server, '--app', app, ...process.argv.slice(2)], { stdio: 'inherit', cwd })
// A terminal's signal reaches both; one that is sent to this process alone has to be handed on.
process.on('SIGTERM', () => child.kill('SIGTERM'))
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
// npm hands its signals to a shell, which ends and hands nothing on.
const parent = process.ppid
setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
child.on('exit', (code) => process.exit(code ?? 1))
