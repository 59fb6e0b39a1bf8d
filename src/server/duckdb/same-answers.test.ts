import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineError } from '../../engine/errors.ts'
import type { DuckDB } from '../../engine/sql/duckdb.ts'
import type { SqlEngine } from '../../engine/sql/engine.ts'
import { JSON_EXPRESSIONS } from '../../engine/sql/functions/json/expressions.ts'
import { ZONE_EXPRESSIONS } from '../../engine/sql/functions/zones/expressions.ts'
import { answerQuery, openQueryEngine } from '../../engine/sql/query.ts'
import { loadText, type Loaded } from '../../engine/testing/tables.ts'
import { builtDuckDB } from '../testing/native.ts'

/* Runs statements on the browser's engine and on the server's. Every name, value and error must be the same. */

const src = fileURLToPath(new URL('../..', import.meta.url))
const T = 'my_ws."Sales 2024".orders'
let engines: { readonly page: SqlEngine; readonly server: SqlEngine }
let tables: { readonly name: readonly [string, string, string]; readonly loaded: Loaded }[]

beforeAll(async () => {
  const { WASM } = await vi.importActual<{ WASM: DuckDB }>('../../engine/sql/duckdb.ts')
  engines = {
    page: await openQueryEngine(WASM),
    server: await openQueryEngine(builtDuckDB()),
  }
  const orders =
    'id,customer,amount,day,at\n1,Ann,10.50,2024-01-02,2024-01-02T10:00:00Z\n2,Bob,20.25,2024-05-02,2024-01-02T10:00:00Z\n3,Ann,0.25,,\n'
  tables = [
    { name: ['my_ws', 'Sales 2024', 'orders'], loaded: await loadText(orders) },
    { name: ['ws', 'd', 't'], loaded: await loadText('a,b\n1,x\n2,y\n3,\n') },
  ]
})

async function told(engine: SqlEngine, sql: string): Promise<unknown> {
  const named = tables.map(({ name: [workspace, dataset, table], loaded }) => ({
    workspace,
    dataset,
    table,
    fileId: loaded.stored.fileId,
  }))
  const files = new Map(tables.map(({ loaded }) => [loaded.stored.fileId, loaded.file]))
  try {
    const request = { sql, tables: named, files, maxRows: 200 }
    const { columns, rows, truncated } = await answerQuery(engine, request, new AbortController().signal)
    return { columns: columns.map(({ name }) => name), rows, truncated }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { code, message, remedy, details } = error
    return { code, message, remedy, details }
  }
}

/** Statements that differ from run to run, take long on purpose, or are known to differ (see README.md). */
const LEFT_OUT =
  /\d{7,}|random|uuid\(|now\(|current_|today|localtime|get_current|transaction_timestamp|json_extract|json_serialize_sql|->|(?:date_part|extract)\W+(?:epoch|timezone)|strftime|information_schema\.|Casablanca/i

const isCompared = (sql: string): boolean => !LEFT_OUT.test(sql) && sql.length <= 3000

interface Answered {
  readonly sql: string
  readonly page: unknown
  readonly server: unknown
}

async function ask(sql: string): Promise<Answered> {
  return { sql, page: await told(engines.page, sql), server: await told(engines.server, sql) }
}

const isSame = ({ page, server }: Answered): boolean => JSON.stringify(page) === JSON.stringify(server)
const hasRows = (answer: unknown): boolean => typeof answer === 'object' && answer !== null && 'rows' in answer

/** The number of expressions per statement, since planning a statement takes longer than evaluating most of them. */
const TOGETHER = 32

/**
 * The differences in expressions' values, names or errors. If a statement fails, its halves are compared separately.
 */
async function differencesOf(expressions: readonly string[]): Promise<Answered[]> {
  if (expressions.length > TOGETHER) {
    const first = await differencesOf(expressions.slice(0, TOGETHER))
    return [...first, ...(await differencesOf(expressions.slice(TOGETHER)))]
  }
  const answered = await ask(`SELECT ${expressions.join(', ')}`)
  if (isSame(answered) && (expressions.length === 1 || hasRows(answered.page))) return []
  if (expressions.length === 1) return [answered]
  const half = expressions.length >> 1
  return [...(await differencesOf(expressions.slice(0, half))), ...(await differencesOf(expressions.slice(half)))]
}

/** Statements in tests, with the tables of this test instead of theirs. */
function statementsIn(folder: string): string[] {
  const files = readdirSync(path.join(src, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && !file.startsWith('../e2e/node_modules'))
    .flatMap((file) => {
      const text = readFileSync(path.join(src, folder, file), 'utf8')
      return Array.from(text.matchAll(/(['"`])((?:\\[^]|(?!\1)[^\\])*)\1/g), ([, , body = '']) =>
        body
          .replaceAll('${T}', T)
          .replaceAll(/\$\{[^}]*\}/g, 'ws.d.t')
          .replaceAll(/\\n/g, '\n')
          .replaceAll(/\\(['"`\\])/g, '$1')
          .trim(),
      )
    })
    .filter((text) =>
      /^(?:select|from|with|values|pivot|unpivot|describe|summarize|show|explain|table|create|set|insert|call|pragma|attach|copy)\b/i.test(
        text,
      ),
    )
}

describe('the server’s engine', () => {
  it('answers the statements of tests like the page’s', async () => {
    const all = new Set([...statementsIn('engine/sql'), ...statementsIn('../e2e'), ...statementsIn('service')])
    const statements = Array.from(all).filter(isCompared)
    expect(statements.length).toBeGreaterThan(100)
    const differing: Answered[] = []
    for (const sql of statements) {
      const answered = await ask(sql)
      if (!isSame(answered)) differing.push(answered)
    }
    expect(differing).toEqual([])
  })

  it.each([
    ['JSON', JSON_EXPRESSIONS],
    ['times with a zone', ZONE_EXPRESSIONS],
  ])('has the same functions of %s', async (_, groups) => {
    const expressions = Object.values(groups)
      .flat()
      .filter((each) => isCompared(`SELECT ${each}`))
    expect(expressions.length).toBeGreaterThan(100)
    expect(await differencesOf(expressions)).toEqual([])
  })
})
