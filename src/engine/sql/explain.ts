import type { NamedTable } from '../storage/table-types.ts'
import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import { notAllowed } from './guard.ts'
import type { PlanNode } from './bound-plan.ts'
import type { Answer } from './query.ts'
import type { Statement, Token } from './statement.ts'

export interface Explained {
  readonly statement: Statement
  readonly json: boolean
}

const QUERY_STARTS = new Set(['select', 'from', 'with', 'values', 'table', 'pivot', 'unpivot', '('])

/**
 * The statement that an EXPLAIN is about; null for other statements.
 * @throws {EngineError} `sql-not-allowed` for EXPLAIN ANALYZE and formats that we don't render
 */
export function readExplain(statement: Statement): Explained | null {
  const { tokens } = statement
  if (tokens[0].text.toLowerCase() !== 'explain') return null
  let at = 1
  let json = false
  const word = (i: number): string => tokens[i]?.text.toLowerCase() ?? ''
  if (word(1) === '(' && !QUERY_STARTS.has(word(2))) {
    const close = tokens.findIndex(({ text }) => text === ')')
    const options = tokens.slice(2, Math.max(close, 2)).map(({ text }) => text.toLowerCase().replaceAll(/['"]/g, ''))
    if (options.includes('analyze')) throw noAnalyze()
    json = options.includes('json')
    if (options.includes('format') && !json && !options.includes('text')) {
      throw notAllowed('EXPLAIN gives its plan as text or as JSON.')
    }
    at = Math.max(close, 1) + 1
  }
  if (word(at) === 'analyze') throw noAnalyze()
  if (word(at) === 'verbose') at++
  if (!tokens[at]) return null
  return { statement: from(statement, tokens[at]), json }
}

function noAnalyze() {
  return notAllowed('EXPLAIN ANALYZE isn’t available: EXPLAIN shows the plan without running it.')
}

function from({ text, tokens }: Statement, first: Token): Statement {
  const rest = tokens.slice(tokens.indexOf(first))
  return {
    text: text.slice(first.start),
    tokens: rest.map((token) => ({ ...token, start: token.start - first.start })),
  }
}

/** What DESCRIBE, SUMMARIZE or SHOW is about, as a query; null for other statements. */
export function described(statement: Statement): Statement | null {
  const { tokens } = statement
  if (!/^(describe|desc|summarize|show)$/i.test(tokens[0].text) || !tokens[1]) return null
  const inner = from(statement, tokens[1])
  if (QUERY_STARTS.has(tokens[1].text.toLowerCase())) return inner
  return { text: `FROM ${inner.text}`, tokens: inner.tokens }
}

/** A plan's stages, the tables in it by the names that the caller knows. */
export function renderPlan(
  plans: ReadonlyMap<string, readonly PlanNode[]>,
  json: boolean,
  readable: ReadonlyMap<string, NamedTable>,
): Answer {
  const rows = Array.from(plans, ([stage, nodes]) => {
    const named = nodes.map((node) => rename(node, readable))
    return [stage, json ? JSON.stringify(named, null, 2) : named.map((node) => lines(node, 0).join('\n')).join('\n')]
  })
  const columns = ['explain_key', 'explain_value'].map((name) => ({ name, type: 'VARCHAR' }))
  return { columns, rows, truncated: false }
}

function rename(node: PlanNode, readable: ReadonlyMap<string, NamedTable>): PlanNode {
  const { Table: physical, ...rest } = node.extra_info
  const table = typeof physical === 'string' ? readable.get(physical) : undefined
  const name = table && [table.workspace, table.dataset, table.table].map(quoteIdentifier).join('.')
  return {
    name: node.name.trim(),
    children: node.children.map((child) => rename(child, readable)),
    extra_info: name === undefined ? rest : { Table: name, ...rest },
  }
}

function lines(node: PlanNode, depth: number): string[] {
  const indent = '  '.repeat(depth)
  const facts = Object.entries(node.extra_info)
    .filter(([, value]) => value.length > 0)
    .map(
      ([key, value]) =>
        `${indent}  ${key}: ${typeof value === 'string' ? value.replaceAll('\n', ', ') : value.join(', ')}`,
    )
  return [`${indent}${node.name}`, ...facts, ...node.children.flatMap((child) => lines(child, depth + 1))]
}
