import { asError } from '../../lib/errors.ts'
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Engine } from './engine.ts'
import type { FromThread, ThreadData, ToThread } from './protocol.ts'

/* The thread that runs DuckDB. Its calls take time, and the calling thread decides how long it waits for them. */

const { port, answered } = workerData as ThreadData
const count = new Int32Array(answered)
const engine = new Engine()

function post(message: FromThread): void {
  const bytes = 'bytes' in message ? message.bytes : null
  port.postMessage(message, bytes ? [bytes.buffer] : [])
  Atomics.add(count, 0, 1)
  Atomics.notify(count, 0)
}

// The calling thread may be blocked, so it couldn't receive an error.
process.on('uncaughtException', (error) => {
  writeSync(2, `${error.stack ?? error.message}\n`)
  process.kill(process.pid, 'SIGKILL')
})

port.on('message', (message: ToThread) => {
  if ('interrupt' in message) {
    engine.interrupt(message.interrupt)
    return
  }
  const { id, connection, ask } = message
  engine.do(connection, ask).then(
    (bytes) => post({ id, bytes }),
    (error: unknown) => post({ id, error: asError(error).message }),
  )
})

parentPort?.postMessage('ready')
