import type { PlanOperator } from './session-types.ts'
import type { NamedTable } from '../storage/table-types.ts'
import { writtenTable } from './problems.ts'

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
  const told = JSON.parse(json) as EngineNode | readonly EngineNode[]
  let root: EngineNode | undefined = isList(told) ? told[0] : told
  while (root && (AROUND.has(nameOf(root)) || nameOf(root) === '')) [root] = root.children ?? []
  return root ? operator(root, readable) : null
}

function isList(told: EngineNode | readonly EngineNode[]): told is readonly EngineNode[] {
  return Array.isArray(told)
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
