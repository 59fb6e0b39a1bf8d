import { expect, it } from 'vitest'
import { duckParquet } from '../../formats/parquet/testing/oracle.ts'
import { nativeRows } from '../../testing/oracle.ts'
import { withHole } from '../../formats/parquet/testing/hole.ts'
import { Session } from '../../testing/session.ts'

/** A file that counts the bytes that are read of it. */
function counting(file: File): { readonly file: File; readonly read: () => number } {
  let bytes = 0
  const watched = (blob: Blob): Blob =>
    new Proxy(blob, {
      get(target, key) {
        if (key === 'slice') return (...range: Parameters<Blob['slice']>) => watched(target.slice(...range))
        if (key === 'arrayBuffer') {
          bytes += target.size
          return () => target.arrayBuffer()
        }
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  return { file: watched(file) as File, read: () => bytes }
}

// Node has no blobs of more than 4 GB.
it('reads of a Parquet file beyond 2 GB what a statement needs, and nothing else', async () => {
  const made = await duckParquet(
    "SELECT i::BIGINT AS id, 'n' || (i % 97) AS name, md5(i::VARCHAR) AS unused FROM range(100000) r(i)",
    'ROW_GROUP_SIZE 20480',
  )
  const bytes = new Uint8Array(await made.file.arrayBuffer())
  const [[at]] = await nativeRows(
    `SELECT min(coalesce(dictionary_page_offset, data_page_offset)) FROM parquet_metadata('${made.path}') WHERE row_group_id = 2`,
  )
  const { file, read } = counting(withHole(bytes, Number(at), 2 ** 31 + 12_345))
  const session = await Session.open()
  session.add(['t'], { stored: { fileId: 'large' }, file })
  expect((await session.run('SELECT count(*) FROM local.t')).cells).toEqual([['100000']])
  const [[footer]] = await nativeRows(`SELECT footer_size FROM parquet_file_metadata('${made.path}')`)
  const counted = read()
  expect(counted).toBeLessThan(8 * Number(footer) + 2 ** 18)
  for (const query of [
    'SELECT id, name FROM local.t WHERE id > 99990 OR id < 3 ORDER BY id',
    'SELECT sum(id), min(name), max(name), count(DISTINCT name) FROM local.t',
    'SELECT id FROM local.t WHERE id = 77777',
  ]) {
    const native = await nativeRows(query.replaceAll('local.t', `'${made.path}'`))
    expect((await session.run(query)).cells, query).toEqual(native.map((row) => row.map(String)))
  }
  const [[needed]] = await nativeRows(
    `SELECT sum(total_compressed_size) FROM parquet_metadata('${made.path}') WHERE path_in_schema <> 'unused'`,
  )
  expect(read() - counted).toBeLessThan(2 * Number(needed))
})
