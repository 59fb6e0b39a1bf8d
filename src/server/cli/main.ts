#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'
import { EXIT, OutputError, type Io } from './io.ts'
import { failureOf, sentenceOf } from './words.ts'

/* The program `rowhouse`. */

if (process.argv[2] === 'serve') await serve()
else await command()

/** Loads the server's program, which is a separate script beside this one, with the arguments after `serve`. */
async function serve(): Promise<void> {
  const app = fileURLToPath(new URL('../dist', import.meta.url))
  const given = process.argv.slice(3)
  const hasApp = given.some((argument) => argument === '--app' || argument.startsWith('--app='))
  process.argv.splice(2, Infinity, ...(hasApp || !existsSync(app) ? [] : ['--app', app]), ...given)
  const program = new URL('server.js', import.meta.url).href
  await import(/* @vite-ignore */ program)
}

async function command(): Promise<void> {
  const cancelling = new AbortController()
  let cancelled: number = EXIT.cancelled
  // Handled only once, so that a second signal ends the process at once.
  process.once('SIGINT', () => cancelling.abort())
  process.once('SIGTERM', () => {
    cancelled = EXIT.terminated
    cancelling.abort()
  })

  // Callbacks of `write` report errors; without this listener, they would also end the process.
  process.stdout.on('error', () => undefined)

  const { stdout, stderr } = process

  const io: Io = {
    folder: process.cwd(),
    env: process.env,
    signal: cancelling.signal,
    out: (content) =>
      new Promise((resolve, reject) => {
        stdout.write(content, (error) => {
          if (error) reject(new OutputError('Standard output can’t be written to.', { cause: error }))
          else resolve()
        })
      }),
    err: (text) => void stderr.write(text),
    // Some terminals don't report their width.
    width: stderr.isTTY ? stderr.columns || 80 : null,
  }

  try {
    const code = await run(process.argv.slice(2), io)
    process.exitCode = code === EXIT.cancelled ? cancelled : code
  } catch (error) {
    process.exitCode = EXIT.failed
    if (error instanceof OutputError) {
      // A reader such as `head` has closed the pipe. That's an error only if it kept files from being converted.
      if (isClosedPipe(error.cause) && process.argv[2] !== 'convert') process.exitCode = EXIT.done
      else stderr.write(`${error.message} ${sentenceOf(failureOf(error.cause))}\n`)
      return
    }
    stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    stderr.write('This is a bug in Rowhouse. No unfinished file is left. Please report it with the lines above.\n')
  }
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
