import { openDatabase } from '../../src/engine/storage/open-database.ts'

const FOLDER = '/bench/'

addEventListener('message', ({ data }: MessageEvent<{ file: File; sample: number | null }>) => {
  void time(data.file, data.sample).then((took) => postMessage(took))
})

/** DuckDB's own way: its time for a CSV file as a table in memory, in milliseconds. */
async function time(file: File, sample: number | null): Promise<number> {
  const db = await openDatabase({ folder: FOLDER })
  await db.registerFile(`${FOLDER}a.csv`, file)
  const size = sample === null ? '' : `, sample_size=${sample}`
  const begun = performance.now()
  db.run(`CREATE TABLE t AS SELECT * FROM read_csv('${FOLDER}a.csv'${size})`)
  return performance.now() - begun
}
