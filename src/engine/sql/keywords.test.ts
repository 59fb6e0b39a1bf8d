import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { nativeRows } from '../testing/oracle.ts'
import { convert } from '../testing/run.ts'
import { Session } from '../testing/session.ts'
import { load, Warehouse } from '../testing/tables.ts'

/* Structs whose fields are called as SQL's words are: all of DuckDB's keywords, and what else it has quotes for. */

const keywords = async (): Promise<string[]> => {
  const rows = await nativeRows('SELECT keyword_name FROM duckdb_keywords() ORDER BY 1')
  return [...rows.flat().map(String), 'FROM', 'a b', 'a"b', 'é', '1st', '']
}
const fieldsOf = (names: readonly string[]): string => names.map((name, i) => `${JSON.stringify(name)}:${i}`).join(',')

/** A value of all fields as native DuckDB's files hold it, and the file's column. */
async function database(names: readonly string[]): Promise<File> {
  const target = path.join(mkdtempSync(path.join(tmpdir(), 'keywords-')), 'k.duckdb')
  const instance = await DuckDBInstance.create(target)
  const connection = await instance.connect()
  const quoted = names.filter((name) => name !== '').map((name) => `"${name.replaceAll('"', '""')}" INTEGER`)
  const values = quoted.map((_, i) => i).join(', ')
  await connection.run(`CREATE TABLE t (s STRUCT(${quoted.join(', ')}), l STRUCT("from" INTEGER, "end" HUGEINT)[])`)
  await connection.run(`INSERT INTO t VALUES (row(${values}), [{"from": 1, "end": 2}])`)
  await connection.run('CHECKPOINT')
  connection.closeSync()
  instance.closeSync()
  return new File([readFileSync(target)], 'k.duckdb')
}

describe('fields called as keywords', () => {
  it('come through statements, tables and databases', async () => {
    const names = (await keywords()).filter(
      (name, i, all) => name !== '' && all.findIndex((each) => each.toLowerCase() === name.toLowerCase()) === i,
    )
    const file = await database(names)
    const { files, result } = await convert(file, 'json')
    expect(result.outputs[0].receipts[0].verdict).toBe('match')
    const json = `{"s":{${fieldsOf(names)}},"l":[{"from":1,"end":2}]}`
    expect(await files[0].text()).toBe(`[\n${json}\n]\n`)

    const stored = await load(new File([json], 'a.ndjson'))
    const session = await Session.open()
    session.add(['k'], stored)
    const { cells } = await session.run('SELECT s, l, s."end", l[1]."from" FROM local.k')
    expect(cells).toEqual([[`{${fieldsOf(names)}}`, '[{"from":1,"end":2}]', String(names.indexOf('end')), '1']])
    const { cells: cast } = await session.run('SELECT {"from": 1::HUGEINT, "order": INTERVAL 1 DAY, "left": 1} AS x')
    expect(cast).toEqual([['{"from":1,"order":"1 day","left":1}']])

    const warehouse = await Warehouse.open()
    warehouse.add(['w', 'd', 't'], stored)
    const { rows } = await warehouse.run('SELECT s, {"from": sum(1)} FROM w.d.t GROUP BY s')
    expect(rows).toEqual([[Object.fromEntries(names.map((name, i) => [name, i])), { from: '1' }]])
  }, 120_000)
})
