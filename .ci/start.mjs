// `npm start`: installs what is missing and serves the app for development.
import { installPackages, requireNode, run } from './setup.mjs'

requireNode()
installPackages()
process.exit(
  run('npx', ['vite', '--port', '5173', '--strictPort', ...process.argv.slice(2)], {
    shell: process.platform === 'win32',
  }),
)
