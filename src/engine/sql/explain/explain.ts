import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import type { NamedTable } from '../../storage/table-types.ts'
import { notAllowed, type PlanNode } from '../gate/authorize.ts'
import { refused } from '../gate/refusals.ts'
import { writtenTable } from '../catalog.ts'
import type { PlanOperator, ResultColumn } from '../session-types.ts'
import { statementFrom, type Statement } from '../statement.ts'

/** What EXPLAIN gives. */
export const EXPLAIN_COLUMNS: readonly ResultColumn[] = ['explain_key', 'explain_value'].map((name) => ({
  name,
  type: 'VARCHAR',
}))

export interface Explained {
  readonly statement: Statement
  /** In small letters. */
  readonly format: string
  /** EXPLAIN ANALYZE, which runs it. */
  readonly analyze: boolean
}

/** The plan of what would run. */
export const PHYSICAL = 'physical_plan'
/** How DuckDB writes plans. */
const FORMATS: ReadonlySet<string> = new Set(['graphviz', 'html', 'json', 'mermaid', 'text', 'yaml'])
const QUERY_STARTS = new Set(['select', 'from', 'with', 'values', 'table', 'pivot', 'unpivot', '('])

/**
 * The statement that an EXPLAIN is about; null for other statements.
 * @param mayAnalyze whether it may be EXPLAIN ANALYZE
 * @throws {EngineError} `sql-not-allowed` for what it may not be, and for formats that there aren't
 */
export function readExplain(statement: Statement, mayAnalyze: boolean): Explained | null {
  const { tokens } = statement
  const word = (i: number): string => tokens[i]?.text.toLowerCase() ?? ''
  if (word(0) !== 'explain') return null
  if (mayAnalyze && word(1) === 'analyze' && tokens[2]) {
    return { statement: statementFrom(statement, 2), format: 'text', analyze: true }
  }
  let at = 1
  let format = 'text'
  if (word(1) === '(' && !QUERY_STARTS.has(word(2))) {
    const close = tokens.findIndex(({ text }) => text === ')')
    const options = tokens.slice(2, Math.max(close, 2)).map(({ text }) => text.toLowerCase().replaceAll(/['"]/g, ''))
    if (mayAnalyze && options.join() === 'analyze' && tokens[close + 1])
      return { statement: statementFrom(statement, close + 1), format: 'text', analyze: true }
    if (options.includes('analyze'))
      throw mayAnalyze
        ? refused('EXPLAIN ANALYZE takes no options here.', 'Write EXPLAIN ANALYZE, and the statement.')
        : noAnalyze()
    if (options[0] === 'format') format = options[1]
    if (!FORMATS.has(format)) throw noFormat('There is no such format for plans.')
    at = Math.max(close, 1) + 1
  }
  if (word(at) === 'analyze') throw noAnalyze()
  if (word(at) === 'verbose') at++
  return tokens[at] ? { statement: statementFrom(statement, at), format, analyze: false } : null
}

/** @param why as a sentence */
export function noFormat(why: string) {
  return refused(why, 'Write EXPLAIN, or EXPLAIN (FORMAT JSON).')
}

function noAnalyze() {
  return notAllowed('EXPLAIN ANALYZE isn’t available: EXPLAIN shows the plan without running it.')
}

/** Statements that `FROM (...)` can be put around, but not `SELECT ... FROM (...)` as a whole. */
export function isDescribing({ tokens }: Statement): boolean {
  return /^(?:describe|desc|summarize|show)$/i.test(tokens[0].text)
}

/** What DESCRIBE, SUMMARIZE or SHOW is about, as a query; null for other statements. */
export function described(statement: Statement): Statement | null {
  const { tokens } = statement
  if (!isDescribing(statement) || !tokens[1]) return null
  const inner = statementFrom(statement, 1)
  if (QUERY_STARTS.has(tokens[1].text.toLowerCase())) return inner
  return { text: `FROM ${inner.text}`, tokens: inner.tokens }
}

/** A plan with its tables by the names that the caller knows. */
export function withNames(
  { children, extra_info, ...node }: PlanNode,
  readable: ReadonlyMap<string, NamedTable>,
): PlanNode {
  const { Table: physical, ...rest } = extra_info
  const table = typeof physical === 'string' ? readable.get(physical) : undefined
  const name = table && [table.workspace, table.dataset, table.table].map(quoteIdentifier).join('.')
  return {
    ...node,
    children: children.map((child) => withNames(child, readable)),
    extra_info: name === undefined ? extra_info : { Table: name, ...rest },
  }
}

/** A plan as text, an operator below the one that takes its rows. */
export function planText(plan: readonly PlanNode[]): string {
  return plan.map((node) => lines(node, 0).join('\n')).join('\n')
}

function lines(node: PlanNode, depth: number): string[] {
  const indent = '  '.repeat(depth)
  const facts = Object.entries(node.extra_info)
    .filter(([, value]) => value.length > 0)
    .map(
      ([key, value]) =>
        `${indent}  ${key}: ${typeof value === 'string' ? value.replaceAll('\n', ', ') : value.join(', ')}`,
    )
  return [`${indent}${node.name.trim()}`, ...facts, ...node.children.flatMap((child) => lines(child, depth + 1))]
}

type Facts = Readonly<Record<string, string | readonly string[]>>

/** A node as `EXPLAIN (FORMAT JSON)` gives it, or `EXPLAIN (ANALYZE, FORMAT JSON)`, which tells more. */
interface EngineNode {
  readonly name?: string
  readonly operator_name?: string
  readonly operator_cardinality?: number
  /** In seconds. */
  readonly operator_timing?: number
  readonly children?: readonly EngineNode[]
  readonly extra_info: Facts
}

const ESTIMATE = 'Estimated Cardinality'
/** Operators around the statement itself. */
const AROUND = new Set(['EXPLAIN_ANALYZE', 'RESULT_COLLECTOR', 'QUERY'])
/** Of what the engine does to columns between two operators; nobody has asked for it. */
const INTERNAL = /__internal_|^#\d+$/

/**
 * A plan's operators, tables by the names that the caller knows; null when there are none.
 * @param json DuckDB's, of a physical plan
 */
export function planTree(json: string, readable: ReadonlyMap<string, NamedTable>): PlanOperator | null {
  const parsed = JSON.parse(json) as EngineNode | readonly EngineNode[]
  let root: EngineNode | undefined = isList(parsed) ? parsed[0] : parsed
  while (root && (AROUND.has(nameOf(root)) || nameOf(root) === '')) [root] = root.children ?? []
  return root ? operator(root, readable) : null
}

function isList(parsed: EngineNode | readonly EngineNode[]): parsed is readonly EngineNode[] {
  return Array.isArray(parsed)
}

function nameOf({ name, operator_name }: EngineNode): string {
  return (operator_name ?? name ?? '').trim()
}

function operator(node: EngineNode, readable: ReadonlyMap<string, NamedTable>): PlanOperator {
  const { [ESTIMATE]: estimate, ...facts } = node.extra_info
  const seconds = node.operator_timing
  return {
    name: nameOf(node),
    details: Object.entries(facts).flatMap(([label, value]) => detail(label, value, readable)),
    estimatedRows: typeof estimate === 'string' && estimate !== '' ? Number(estimate) : null,
    rows: node.operator_cardinality ?? null,
    milliseconds: seconds === undefined ? null : seconds * 1000,
    children: (node.children ?? []).map((child) => operator(child, readable)),
  }
}

function detail(
  label: string,
  value: string | readonly string[],
  readable: ReadonlyMap<string, NamedTable>,
): (readonly [string, string])[] {
  const texts = (typeof value === 'string' ? value.split('\n') : value).filter((text) => text !== '')
  if (label === 'Table') {
    return texts.map((text) => {
      const physical = text.split('.').at(-1)?.replaceAll('"', '') ?? text
      const table = readable.get(physical)
      return [label, table ? writtenTable(table) : physical]
    })
  }
  const shown = texts.filter((text) => !INTERNAL.test(text))
  return shown.length === 0 ? [] : [[label, shown.join(', ')]]
}

/** A plan as lines of text, indented by depth. */
export function planLines(
  { name, details, rows, estimatedRows, milliseconds, children }: PlanOperator,
  depth = 0,
): string[] {
  const indent = '  '.repeat(depth)
  const facts = details.map(([label, text]) => `${indent}  ${label}: ${text}`)
  const counts = [
    ...(rows === null ? [] : [`${rows} rows`]),
    ...(estimatedRows === null ? [] : [`${estimatedRows} estimated`]),
    ...(milliseconds === null ? [] : [`${milliseconds.toFixed(2)} ms`]),
  ]
  const head = `${indent}${name}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`
  return [head, ...facts, ...children.flatMap((child) => planLines(child, depth + 1))]
}
