import type { Database } from '../../src/engine/storage/database.ts'
import { openDatabase } from '../../src/engine/storage/open-database.ts'
import type { BareTable, FromBare, Took, ToBare } from './sql-protocol.ts'

/* DuckDB-WASM alone: the same build with the same files, and nothing around it. */

const FOLDER = '/bench/'
let database: Promise<Database> | undefined

addEventListener('message', ({ data }: MessageEvent<ToBare>) => {
  const answer = data.type === 'open' ? open(data.tables) : run(data.sql)
  void answer
    .catch((error: unknown): FromBare => ({ error: String(error) }))
    .then((message: FromBare) => postMessage(message, { transfer: 'arrow' in message ? [message.arrow.buffer] : [] }))
})

async function open(tables: readonly BareTable[]): Promise<Took> {
  const begun = performance.now()
  database = openDatabase({ folder: FOLDER })
  const db = await database
  db.run("ATTACH ':memory:' AS bench")
  for (const [i, { dataset, table, file }] of tables.entries()) {
    await db.registerFile(`${FOLDER}${i}.db`, file)
    db.run(`ATTACH '${FOLDER}${i}.db' AS f${i} (READ_ONLY); CREATE SCHEMA IF NOT EXISTS bench.${dataset}`)
    const [batch] = db.run(`SELECT table_name FROM duckdb_tables() WHERE database_name = 'f${i}'`)
    const physical = String(batch?.getChildAt(0)?.get(0))
    db.run(`CREATE VIEW bench.${dataset}.${table} AS FROM f${i}.main."${physical}"`)
  }
  return { took: performance.now() - begun, arrow: new Uint8Array() }
}

async function run(sql: string): Promise<Took> {
  if (!database) throw new Error('not open')
  const { bindings, guest } = await database
  const begun = performance.now()
  const arrow = bindings.runQuery(guest.id, sql)
  return { took: performance.now() - begun, arrow: arrow.slice() }
}
