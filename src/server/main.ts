import { asError } from '../lib/errors.ts'
import { fileURLToPath } from 'node:url'
import { setupSql } from './clickhouse/statements.ts'
import { createLog } from './http/log.ts'
import { serve, type Started } from './serve.ts'
import { helpText, SettingsError } from './options.ts'
import { readSettings, type Settings } from './settings.ts'

/* `npm run serve`: serves the app and the service. Messages go to standard output, logs to standard error. */

const log = createLog((line) => process.stderr.write(line))

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2), process.env)
  if (!settings) {
    process.stdout.write(helpText())
    return
  }
  if (settings.clickhouseSetup) {
    if (!settings.clickhouse) throw new SettingsError('--clickhouse-setup needs --clickhouse-url ($CLICKHOUSE_URL).')
    const { user, reader, ...layout } = settings.clickhouse
    process.stdout.write(setupSql({ ...layout, user, reader: reader.user }))
    return
  }
  const script = fileURLToPath(new URL('process.js', import.meta.url))
  const server = await serve({ settings, log, script })
  let stopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1)
    stopping = true
    log('info', 'stopping', { signal })
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', 'stopping failed', {}, error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Printed after the signal handlers are set, since whoever reads it may stop the server at once.
  process.stdout.write(startMessage(server.started, settings))
  log('info', 'listening', { url: server.started.url })
}

function startMessage({ url, workspace, key, consoleToken }: Started, { json }: Settings): string {
  if (json) {
    const secrets = {
      ...(key === null ? {} : { key }),
      ...(consoleToken === null ? {} : { console_token: consoleToken }),
    }
    return `${JSON.stringify({ url, workspace_id: workspace.id, ...secrets })}\n`
  }
  const lines = [`Rowhouse is at ${url}`]
  if (key !== null || consoleToken !== null) {
    lines.push(
      '',
      `  Base URL       ${url}/public/v1`,
      `  Workspace id   ${workspace.id}`,
      `  Name in SQL    ${workspace.slug}`,
      ...(key === null ? [] : [`  API key        ${key}`]),
      ...(consoleToken === null ? [] : [`  Console token  ${consoleToken}`]),
      '',
      'Keep these secrets: they are shown only once. To use the service from the app, open Settings, Connection.',
      'A lost key: make another in the app, with the console token. A lost token: start with --new-console-token.',
    )
  }
  return `${lines.join('\n')}\n`
}

// The process may be in any state, so it ends. Whatever runs it should restart it.
process.on('uncaughtException', (error) => {
  log('error', 'the server ended: unexpected error', {}, error)
  process.exit(1)
})

main().catch((error: unknown) => {
  if (error instanceof SettingsError) {
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
  log('error', 'the server couldn’t start', {}, error)
  process.stderr.write(`${asError(error).message}\n`)
  process.exit(1)
})
