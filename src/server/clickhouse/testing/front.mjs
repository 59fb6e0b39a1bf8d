/*
 * ClickHouse's HTTP interface, as far as tests need it, in front of chDB: ClickHouse as a library. It's run by itself:
 * `node front.mjs FOLDER`, with chDB's package in `CHDB`. It knows neither users and roles nor clusters: their statements
 * are taken and left. It tells its port in a line.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

const { Session } = createRequire(import.meta.url)(process.env.CHDB)
const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-chdb-'))
const session = new Session(path.join(folder, 'data'))
/** Those under way, by their ids: a stop of each. */
const running = new Map()

/** What belongs to a request, and what chDB's connection has no use for. */
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'role',
  'database',
  'session_id',
  'default_format',
  'readonly',
  'wait_end_of_query',
  'enable_http_compression',
])

class Failure extends Error {
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function insert(statement, request) {
  const place = path.join(folder, `${crypto.randomUUID()}.parquet`)
  try {
    await pipeline(request, createWriteStream(place))
    const into = statement.replace(/\s*FORMAT\s+Parquet\s*$/i, '')
    await session.queryAsync(`${into} SELECT * FROM file('${place}', Parquet)`)
    return ''
  } finally {
    rmSync(place, { force: true })
  }
}

async function run(text, parameters) {
  const [, statement, format = 'TabSeparated'] = /^([^]*?)(?:\s+FORMAT\s+(\w+))?\s*;?\s*$/.exec(text)
  const reads = /^\s*(?:SELECT|WITH)\b/.test(statement)
  if (parameters.get('readonly') === '1' && !reads) throw new Failure(164, 'Cannot execute query in readonly mode')
  if (/^\s*(?:CREATE ROLE|DROP ROLE|GRANT)\b/.test(statement)) return ''
  const [, killed] = /^\s*KILL QUERY WHERE query_id = '([^']+)'/.exec(statement) ?? []
  if (killed !== undefined) {
    running.get(killed)?.()
    return ''
  }
  const settings = [...parameters].filter(([name]) => !NOT_SETTINGS.has(name))
  const list = settings.map(([name, value]) => `${name} = ${/^\d+$/.test(value) ? value : `'${value}'`}`)
  const whole = reads && list.length > 0 ? `${statement} SETTINGS ${list.join(', ')}` : statement
  const stopped = new Promise((_, reject) => {
    running.set(parameters.get('query_id'), () => reject(new Failure(394, 'Query was cancelled')))
  })
  try {
    const result = await Promise.race([session.queryAsync(whole, { format }), stopped])
    return result.text()
  } finally {
    running.delete(parameters.get('query_id'))
  }
}

/** What chDB says begins with ClickHouse's number of the error. */
function told(error) {
  const message = error instanceof Error ? error.message : String(error)
  const code =
    error.code instanceof Object ? 0 : Number(/Code: (\d+)/.exec(message)?.[1] ?? error.clickhouseCode ?? error.code)
  return { code, text: `Code: ${code}. DB::Exception: ${message} (TOLD_BY_CHDB)\n` }
}

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/ping') {
    response.end('Ok.\n')
    return
  }
  try {
    const statement = searchParams.get('query')
    const isInsert = statement !== null && /^\s*INSERT\b/.test(statement)
    const answer = isInsert
      ? await insert(statement, request)
      : await run((statement ?? '') + (await bodyOf(request)), searchParams)
    response.writeHead(200, { 'X-ClickHouse-Query-Id': searchParams.get('query_id') ?? '' })
    response.end(answer)
  } catch (error) {
    const { code, text } = told(error)
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) })
    response.end(text)
  }
}

const server = createServer((request, response) => void respond(request, response))

// Who has started it is gone.
process.stdin.on('end', () => process.exit(0)).resume()
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
