const WHOLE = `('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'UHUGEINT', 'INTEGER_LITERAL')`

/** A path as text: a whole number is an index. */
const PATH = `CASE WHEN typeof(path) IN ${WHOLE} THEN '$[' || path || ']' ELSE path::VARCHAR END`

/** A document's text: that of a value which is neither text nor JSON already is made. */
const text = (name: string): string =>
  `CASE WHEN typeof(${name}) IN ('VARCHAR', 'JSON', '"NULL"') THEN ${name}::VARCHAR ELSE __json_of(${name}::VARCHAR, typeof(${name})) END`
const DOCUMENT = text('json')

const macro = (name: string, ...overloads: readonly string[]): string =>
  `CREATE MACRO memory.main.${name}${overloads.join(', ')};`

/** A function of a document, of which a path may choose a part. */
const withPath = (name: string, own: string, cast = ''): string =>
  macro(name, `(json) AS ${own}(${DOCUMENT}, '$')${cast}`, `(json, path) AS ${own}(${DOCUMENT}, ${PATH})${cast}`)

const numbered = (letter: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${letter}${i}`)

const COLUMNS = ['"key"', '"value"', '"type"', 'atom', 'id', 'parent', 'fullkey', 'path']

/** What `json_each` and `json_tree` give: each row comes as a JSON array of its cells. */
const rows = (name: string, deep: boolean): string => {
  const cells = COLUMNS.map((column, i) => {
    const cell = `__json_text(r, '$[${i}]')`
    if (column === 'atom' || column === '"value"') return `${is(cell)} AS ${column}`
    return `${cell}${column === 'id' || column === 'parent' ? '::UBIGINT' : ''} AS ${column}`
  })
  const table = (path: string): string =>
    `AS TABLE (SELECT ${cells.join(', ')} FROM (SELECT unnest(__json_rows(${DOCUMENT}, ${path}, '${deep}')::VARCHAR[]) AS r))`
  return macro(name, `(json) ${table(`'$'`)}`, `(json, path) ${table('path::VARCHAR')}`)
}

/** What is JSON already, as its type. */
const is = (own: string): string => `__json_is(${own})`
const value = (name: string): string => `coalesce(__json_of(${name}::VARCHAR, typeof(${name})), 'null')`
const pair = (key: string, own: string): string => `__json_of(${key}::VARCHAR, 'VARCHAR') || ':' || ${value(own)}`

/** Functions that give a list where they're given a list of paths. */
export const OF_EACH_PATH = ['json_array_length', 'json_exists', 'json_keys', 'json_type', 'json_value']

/** What makes values of a document: its structure says their types. */
export const TRANSFORMS = ['json_transform', 'json_transform_strict', 'from_json', 'from_json_strict']

/**
 * DuckDB's JSON functions, which are in an extension that can't be had without fetching it.
 * See https://duckdb.org/docs/stable/data/json/json_functions.
 */
export const JSON_MACROS = [
  ...['"->>"', 'json_extract_string', 'json_extract_path_text'].map((name) =>
    macro(name, `(json, path) AS __json_text(${DOCUMENT}, ${PATH})`),
  ),
  macro('json_extract_path', `(json, path) AS __json_extract(${DOCUMENT}, ${PATH})`),
  macro('json_value', `(json, path) AS __json_scalar(${DOCUMENT}, ${PATH})`),
  macro(
    'json_exists',
    `(json, path) AS CASE WHEN json IS NOT NULL AND path IS NOT NULL THEN __json_extract(${DOCUMENT}, ${PATH}) IS NOT NULL END`,
  ),
  macro('__json_lists', `(json, path) AS __json_values(${DOCUMENT}, path::VARCHAR, typeof(path))::VARCHAR[]::JSON[]`),
  macro('__json_lists_text', `(json, path) AS __json_texts(${DOCUMENT}, path::VARCHAR, typeof(path))::VARCHAR[]`),
  ...OF_EACH_PATH.map((name) =>
    macro(
      `__${name}_each`,
      `(json, paths) AS CASE WHEN json IS NOT NULL THEN list_transform(paths, lambda path: ${name}(json, path)) END`,
    ),
  ),
  withPath('json_type', '__json_type'),
  withPath('json_array_length', '__json_length', '::UBIGINT'),
  withPath('json_keys', '__json_keys', '::VARCHAR[]'),
  macro('json_structure', `(json) AS ${is(`__json_structure(${DOCUMENT}, '$')`)}`),
  macro('json_pretty', `(json) AS __json_pretty(${DOCUMENT}, '$')`),
  macro(
    '__json_cast',
    `(v) AS CASE WHEN typeof(v) IN ('VARCHAR', 'JSON', '"NULL"') THEN v::VARCHAR::JSON ELSE ${is(`__json_of(v::VARCHAR, typeof(v))`)} END`,
  ),
  macro('__json_tried', `(v) AS TRY_CAST(${text('v')} AS JSON)`),
  macro('json', `(json) AS __json_extract(${DOCUMENT}, '$')`),
  macro('json_valid', `(json) AS __json_valid(${DOCUMENT})::BOOLEAN`),
  macro('json_contains', `(a, b) AS __json_contains(a::VARCHAR, b::VARCHAR)::BOOLEAN`),
  macro(
    'json_merge_patch',
    ...Array.from({ length: 3 }, (_, i) => {
      const names = numbered('a', i + 2)
      const patched = names.reduce(
        (sum, name) =>
          `CASE WHEN ${sum} IS NULL THEN __json_extract(${name}::VARCHAR, '$') ELSE __json_patched(${sum}::VARCHAR, ${name}::VARCHAR) END`,
      )
      return `(${names.join(', ')}) AS ${is(patched)}`
    }),
  ),
  ...['to_json', 'json_quote', 'row_to_json', 'array_to_json'].map((name) =>
    macro(name, `(v) AS ${is('__json_of(v::VARCHAR, typeof(v))')}`),
  ),
  macro('__json_item', `(v) AS ${value('v')}`),
  macro('__json_pair', `(k, v) AS ${pair('k', 'v')}`),
  macro('__json_array', `(items) AS ${is(`'[' || coalesce(array_to_string(items, ','), '') || ']'`)}`),
  macro('__json_object', `(pairs) AS ${is(`'{' || coalesce(array_to_string(pairs, ','), '') || '}'`)}`),
  // By these names completion knows them; `edits.ts` gives them any number of arguments.
  macro('json_array', `(v) AS __json_array([__json_item(v)])`),
  macro('json_object', `(k, v) AS __json_object([__json_pair(k, v)])`),
  macro('json_group_array', `(v) AS ${is(`'[' || string_agg(${value('v')}, ',') || ']'`)}`),
  macro('json_group_object', `(k, v) AS ${is(`'{' || string_agg(${pair('k', 'v')}, ',') || '}'`)}`),
  macro(
    'json_group_structure',
    `(json) AS __json_extract(__json_structure('[' || string_agg(${value('json')}, ',') || ']', '$'), '$[0]')`,
  ),
  // `edits.ts` makes these of `json_transform` and its like: the engine calls the column by the first of the two.
  macro('__json_made', `(name, made) AS made`),
  // By these names completion knows them.
  ...TRANSFORMS.map((name) =>
    macro(name, `(json, structure) AS error('The structure of ${name} has to be a text in the statement.')`),
  ),
  rows('json_each', false),
  rows('json_tree', true),
].join('\n')
