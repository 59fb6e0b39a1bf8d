import { openDatabase } from '../../src/engine/storage/open-database.ts'

const FOLDER = '/bench/'

addEventListener('message', ({ data }: MessageEvent<{ file: File; sample: number | null }>) => {
  void time(data.file, data.sample).then((took) => postMessage(took))
})

/** Milliseconds that DuckDB's own reader takes to load a CSV file into a table in memory. */
async function time(file: File, sample: number | null): Promise<number> {
  const db = await openDatabase({ folder: FOLDER })
  await db.registerFile(`${FOLDER}a.csv`, file)
  const size = sample === null ? '' : `, sample_size=${sample}`
  const begun = performance.now()
  db.run(`CREATE TABLE t AS SELECT * FROM read_csv('${FOLDER}a.csv'${size})`)
  return performance.now() - begun
}
