import { describe, expect, it } from 'vitest'
import { nativeRows, nativeText } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'
import { JSON_EXPRESSIONS } from './json/expressions.ts'
import { ZONE_EXPRESSIONS } from './zones/expressions.ts'

/* `npm run language`: the share of expressions whose value is native DuckDB's. */

const GROUPS = [
  ...Object.entries(JSON_EXPRESSIONS).map(([name, all]) => [`JSON: ${name}`, 'UTC', all] as const),
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'].flatMap((zone) =>
    Object.entries(ZONE_EXPRESSIONS).map(([name, all]) => [`Time zones in ${zone}: ${name}`, zone, all] as const),
  ),
]

type Asked = (sql: string) => Promise<(string | null)[][]>

/** A value as text, or that it's refused. */
async function valueOf(ask: Asked, expression: string): Promise<string | null> {
  const rows = await ask(`SELECT (${expression})::VARCHAR AS v`).catch((error: unknown) => [
    [`refused: ${String(error)}`],
  ])
  return rows[0]?.[0] ?? null
}

describe('functions', () => {
  it('give what native DuckDB gives', async () => {
    const session = await Session.open()
    let same = 0
    let asked = 0
    for (const [name, zone, expressions] of GROUPS) {
      await nativeRows(`SET TimeZone = '${zone}'`)
      await session.change(`SET TimeZone = '${zone}'`)
      const differing: string[] = []
      for (const expression of expressions) {
        const own = await valueOf(async (sql) => (await session.run(sql)).cells, expression)
        const native = await valueOf(nativeText, expression)
        const bothRefuse = own?.startsWith('refused: ') && native?.startsWith('refused: ')
        if (own !== native && !bothRefuse) differing.push(`  ${expression}\n    here ${own}, native ${native}`)
      }
      const equal = expressions.length - differing.length
      same += equal
      asked += expressions.length
      console.log([`${name}: ${equal} of ${expressions.length}`, ...differing].join('\n'))
    }
    console.log(`All: ${same} of ${asked}, ${((same / asked) * 100).toFixed(1)} %`)
    expect(same).toBe(asked)
  }, 600_000)
})
