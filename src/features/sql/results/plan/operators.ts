import type { PlanOperator } from '../../../../engine/client.ts'

/* DuckDB's operators in plain words. */

export interface OperatorWords {
  readonly title: string
  /** What it does, in a sentence. */
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
  EMPTY_RESULT: ['No rows', 'It’s known ahead that nothing comes out.'],
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
  PIECEWISE_MERGE_JOIN: ['Merge join', 'Sorts both sides and goes along them, for conditions such as < and >.'],
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
  UNGROUPED_AGGREGATE: ['Aggregate', 'Sums up all rows to one.'],
  SIMPLE_AGGREGATE: ['Aggregate', 'Sums up all rows to one.'],
  STREAMING_WINDOW: ['Window as rows come', 'Computes window functions without sorting.'],
  WINDOW: ['Window', 'Sorts rows into partitions and computes window functions.'],
  FILTER: ['Filter', 'Lets rows through that meet a condition.'],
  PROJECTION: ['Columns', 'Computes expressions, and chooses columns.'],
  ORDER_BY: ['Sort', 'Sorts all rows.'],
  TOP_N: ['First rows in order', 'Keeps only the first rows of an order: less work than sorting them all.'],
  LIMIT: ['Limit', 'Stops after so many rows.'],
  STREAMING_LIMIT: ['Limit', 'Stops after so many rows.'],
  LIMIT_PERCENT: ['Limit by share', 'Keeps a share of the rows.'],
  RESERVOIR_SAMPLE: ['Sample', 'Keeps rows by chance.'],
  STREAMING_SAMPLE: ['Sample', 'Keeps rows by chance.'],
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
  return { title: words === '' ? 'Operator' : words[0]?.toUpperCase() + words.slice(1), means: null }
}
