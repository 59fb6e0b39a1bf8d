import { openDatabase } from '../../src/engine/duckdb/open.ts'

const FOLDER = '/bench/'

/** DuckDB's own way: its time for a CSV file as a table in memory, in milliseconds. */
addEventListener('message', async ({ data }: MessageEvent<{ file: File; sample: number | null }>) => {
  const db = await openDatabase({ folder: FOLDER })
  await db.registerFile(`${FOLDER}a.csv`, data.file)
  const sample = data.sample === null ? '' : `, sample_size=${data.sample}`
  const begun = performance.now()
  db.run(`CREATE TABLE t AS SELECT * FROM read_csv('${FOLDER}a.csv'${sample})`)
  postMessage(performance.now() - begun)
})
