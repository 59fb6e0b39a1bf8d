import type { PlanOperator } from '../../../../engine/client.ts'
import { formatCount, plural } from '../../../../ui/format.ts'
import { capitalized } from '../../../../lib/text.ts'

/* Explains DuckDB's operators in plain words. */

interface OperatorWords {
  readonly title: string
  /** What it does, in one sentence. */
  readonly means: string | null
}

const OPERATORS: Readonly<Record<string, readonly [title: string, means: string]>> = {
  SEQ_SCAN: ['Table scan', 'Reads a table’s rows from its beginning to its end.'],
  TABLE_SCAN: ['Table scan', 'Reads a table’s rows from its beginning to its end.'],
  INDEX_SCAN: ['Index scan', 'Finds rows through an index.'],
  COLUMN_DATA_SCAN: ['Scan of kept rows', 'Reads rows that an earlier part of the statement has put aside.'],
  CTE_SCAN: ['Scan of a CTE', 'Reads the rows of a WITH query.'],
  REC_CTE_SCAN: ['Scan of a recursive CTE', 'Reads the rows of the round before.'],
  DELIM_SCAN: ['Scan of outer values', 'Reads the outer query’s values that a subquery depends on.'],
  DUMMY_SCAN: ['Single row', 'Gives one row for expressions that need no table.'],
  EMPTY_RESULT: ['No rows', 'It’s known in advance that there are no rows.'],
  EXPRESSION_SCAN: ['List of values', 'Gives the rows that the statement itself lists.'],
  HASH_JOIN: [
    'Hash join',
    'Puts the rows of one side (the lower one) into a hash table, and looks up those of the other.',
  ],
  NESTED_LOOP_JOIN: ['Nested loop join', 'Compares every row of one side with every row of the other.'],
  BLOCKWISE_NL_JOIN: [
    'Nested loop join',
    'Compares every row of one side with every row of the other, for a condition of any kind.',
  ],
  PIECEWISE_MERGE_JOIN: ['Merge join', 'Sorts both sides and merges them, for conditions such as < and >.'],
  IE_JOIN: ['Inequality join', 'Joins by two ranges, over sorted rows.'],
  ASOF_JOIN: ['As-of join', 'Joins every row with the nearest one before it.'],
  POSITIONAL_JOIN: ['Positional join', 'Puts rows beside each other by their number.'],
  CROSS_PRODUCT: ['Cross product', 'Joins every row of one side with every row of the other.'],
  LEFT_DELIM_JOIN: ['Join with a subquery', 'Computes a dependent subquery once for each different outer value.'],
  RIGHT_DELIM_JOIN: ['Join with a subquery', 'Computes a dependent subquery once for each different outer value.'],
  DELIM_JOIN: ['Join with a subquery', 'Computes a dependent subquery once for each different outer value.'],
  HASH_GROUP_BY: ['Group by hash', 'Gathers rows into groups in a hash table.'],
  PERFECT_HASH_GROUP_BY: [
    'Group by small keys',
    'Gathers rows into groups whose keys are few enough for a plain table.',
  ],
  PARTITIONED_AGGREGATE: ['Group by partition', 'Aggregates rows that already lie together.'],
  UNGROUPED_AGGREGATE: ['Aggregate', 'Aggregates all rows into one.'],
  SIMPLE_AGGREGATE: ['Aggregate', 'Aggregates all rows into one.'],
  STREAMING_WINDOW: ['Window as rows come', 'Computes window functions without sorting.'],
  WINDOW: ['Window', 'Sorts rows into partitions and computes window functions.'],
  FILTER: ['Filter', 'Lets rows through that meet a condition.'],
  PROJECTION: ['Columns', 'Computes expressions, and chooses columns.'],
  ORDER_BY: ['Sort', 'Sorts all rows.'],
  TOP_N: ['First rows in order', 'Keeps only the first rows of an order: less work than sorting them all.'],
  LIMIT: ['Limit', 'Stops after so many rows.'],
  STREAMING_LIMIT: ['Limit', 'Stops after so many rows.'],
  LIMIT_PERCENT: ['Limit by share', 'Keeps a share of the rows.'],
  RESERVOIR_SAMPLE: ['Sample', 'Keeps a random sample of the rows.'],
  STREAMING_SAMPLE: ['Sample', 'Keeps a random sample of the rows.'],
  UNION: ['Union', 'Gives the rows of both sides.'],
  UNNEST: ['Unnest', 'Makes a row of each item of a list.'],
  PIVOT: ['Pivot', 'Turns values into columns.'],
  CTE: ['CTE', 'Computes a WITH query once, for all that read it.'],
  RECURSIVE_CTE: ['Recursive CTE', 'Runs a query on its own rows until no more come.'],
  RECURSIVE_KEY_CTE: ['Recursive CTE by key', 'Runs a query on its own rows until no more come.'],
  INOUT_FUNCTION: ['Table function', 'Calls a function that takes and gives rows.'],
  CREATE_TABLE_AS: ['Create a table', 'Writes the rows into a new table.'],
  BATCH_CREATE_TABLE_AS: ['Create a table', 'Writes the rows into a new table.'],
  INSERT: ['Insert', 'Writes the rows into a table.'],
}

export function operatorWords({ name }: PlanOperator): OperatorWords {
  const key = name
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
  const known = OPERATORS[key]
  if (known) return { title: known[0], means: known[1] }
  const words = key.replaceAll('_', ' ').trim().toLowerCase()
  return { title: capitalized(words) || 'Operator', means: null }
}

/* Highlights in a plan: where the time goes, and where the optimizer's estimates are wrong. */

/** An operator with its highlights. */
export interface PlanNode {
  /** Position as a path: `0`, `0.1`, `0.1.0`. */
  readonly id: string
  readonly operator: PlanOperator
  readonly depth: number
  /** Share of the total time, from 0 to 1; null if the statement wasn't run. */
  readonly share: number | null
  /** Whether it's on the path from the root to the operators that take most of the time. */
  readonly slow: boolean
  /** Whether it takes the most time. */
  readonly slowest: boolean
  readonly misestimate: Misestimate | null
  readonly children: readonly PlanNode[]
}

interface Misestimate {
  /** Ratio of actual to estimated rows, or the inverse; above 10. */
  readonly factor: number
  readonly direction: 'more' | 'fewer'
}

const FACTOR = 10

export function measured(plan: PlanOperator): PlanNode {
  const all = operatorsOf(plan)
  const total = all.reduce((sum, { milliseconds }) => sum + (milliseconds ?? 0), 0)
  const isTimed = all.some(({ milliseconds }) => milliseconds !== null)
  const slowest = all.reduce<PlanOperator | null>(
    (most, each) => ((each.milliseconds ?? 0) > (most?.milliseconds ?? 0) ? each : most),
    null,
  )
  const place = (operator: PlanOperator, id: string, depth: number): PlanNode => {
    const children = operator.children.map((child, i) => place(child, `${id}.${i}`, depth + 1))
    const isSlowest = operator === slowest
    return {
      id,
      operator,
      depth,
      share: !isTimed ? null : total > 0 ? (operator.milliseconds ?? 0) / total : 0,
      slow: isSlowest || children.some((child) => child.slow),
      slowest: isSlowest,
      misestimate: misestimateOf(operator),
      children,
    }
  }
  return place(plan, '0', 0)
}

export function misestimateOf({ rows, estimatedRows }: PlanOperator): Misestimate | null {
  if (rows === null || estimatedRows === null) return null
  // The optimizer doesn't distinguish no rows from one.
  const [actual, guessed] = [Math.max(1, rows), Math.max(1, estimatedRows)]
  const factor = Math.max(actual / guessed, guessed / actual)
  return factor > FACTOR ? { factor, direction: actual > guessed ? 'more' : 'fewer' } : null
}

/** An operator and all of its descendants, in preorder. */
function operatorsOf(plan: PlanOperator): PlanOperator[] {
  return [plan, ...plan.children.flatMap(operatorsOf)]
}

/** The visible nodes, from top to bottom. */
export function visibleNodes(root: PlanNode, closed: ReadonlySet<string>): PlanNode[] {
  return closed.has(root.id) ? [root] : [root, ...root.children.flatMap((child) => visibleNodes(child, closed))]
}

/** Total time of the operators in milliseconds; null if the statement wasn't run. */
export function totalTime(plan: PlanOperator): number | null {
  const all = operatorsOf(plan)
  if (all.every(({ milliseconds }) => milliseconds === null)) return null
  return all.reduce((sum, { milliseconds }) => sum + (milliseconds ?? 0), 0)
}

/** The plan as indented text, with all its details. */
export function planText(plan: PlanOperator): string {
  return `${lines(measured(plan)).join('\n')}\n`
}

function lines(node: PlanNode): string[] {
  const { operator, depth, children } = node
  const indent = '  '.repeat(depth)
  const facts = factsOf(node)
  return [
    `${indent}- ${operatorWords(operator).title}${facts ? `: ${facts}` : ''}`,
    ...operator.details.map(([label, text]) => `${indent}    ${label}: ${text.replaceAll(/\s*\n\s*/g, ', ')}`),
    ...children.flatMap(lines),
  ]
}

/** `1,204 rows (12 expected), 3.1 ms (40 %)` */
export function factsOf({ operator, share }: PlanNode): string {
  const { rows, estimatedRows, milliseconds } = operator
  const expected = estimatedRows === null ? null : `about ${plural(estimatedRows, 'row')} expected`
  const came =
    rows === null
      ? expected
      : `${plural(rows, 'row')}${estimatedRows === null ? '' : ` (${formatCount(estimatedRows)} expected)`}`
  const time =
    milliseconds === null ? null : `${timeText(milliseconds)}${share === null ? '' : ` (${shareText(share)})`}`
  return [came, time].filter((each) => each !== null).join(', ')
}

/** `0.03 ms`, `12 ms`, `1.20 s` */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`
  if (milliseconds >= 10) return `${Math.round(milliseconds)} ms`
  return `${milliseconds.toFixed(milliseconds >= 1 || milliseconds === 0 ? 1 : 2)} ms`
}

export function shareText(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`
}
