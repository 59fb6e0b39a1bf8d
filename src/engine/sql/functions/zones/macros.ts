const NOW = 'system.main.get_current_timestamp()'
const FIELDS = 'year, month, day, hour, minute, second'

const macro = (name: string, ...overloads: readonly string[]): string =>
  `CREATE MACRO memory.main.${name}${overloads.join(', ')};`

/**
 * `range` and `generate_series` as tables, in the place of the engine's own, which can be given no other types. What isn't of
 * times with a zone is left to it, of dates and timestamps by name, because both can be cast to one with a zone. Of a
 * column's value the engine tells no type while it looks for a macro: there the list is made.
 */
const seriesTable = (name: string): string => {
  const listed = `TABLE (SELECT unnest(system.main.${name}(a, b, i)) AS ${name})`
  const streamed = `TABLE (FROM system.main.${name}(a, b, i))`
  return [
    macro(
      `__${name}`,
      ...['TIMESTAMPTZ TIMESTAMPTZ', 'TIMESTAMPTZ TIMESTAMP', 'TIMESTAMP TIMESTAMPTZ']
        .map((types) => types.split(' '))
        .map(([a, b]) => `(a ${a}, b ${b}, i) AS ${listed}`),
      ...['a DATE, b DATE', 'a TIMESTAMP, b TIMESTAMP', 'a, b'].map((pair) => `(${pair}, i) AS ${streamed}`),
    ),
    macro(`__${name}_of_columns`, `(a, b, i) AS ${listed}`),
  ].join('\n')
}

/** What the engine without ICU lacks beside functions of types. */
export const ZONE_MACROS = [
  macro('__current_zone', '(setting) AS __zone()'),
  macro('now', `() AS ${NOW}`),
  macro('current_localtimestamp', `() AS ${NOW}::TIMESTAMP`),
  macro('today', `() AS ${NOW}::DATE`),
  macro('current_date', `() AS ${NOW}::DATE`),
  macro('get_current_time', `() AS ${NOW}::TIMETZ`),
  macro('current_localtime', `() AS ${NOW}::TIMESTAMP::TIME`),
  macro(
    'make_timestamptz',
    '(micros) AS system.main.make_timestamptz(micros)',
    `(${FIELDS}) AS make_timestamp(${FIELDS})::TIMESTAMPTZ`,
    `(${FIELDS}, zone) AS timezone(zone, make_timestamp(${FIELDS}))`,
  ),
].join('\n')

/** What `edits.ts` puts in a statement, and a list whose names are the browser's: also where DuckDB has ICU. */
export const ZONE_EDIT_MACROS = [
  macro(
    'pg_timezone_names',
    `() AS TABLE SELECT z[1] AS name, z[2] AS abbrev, to_seconds(z[3]::INTEGER) AS utc_offset, z[4]::BOOLEAN AS is_dst FROM (SELECT unnest(__zone_list()::VARCHAR[][]) AS z)`,
  ),
  ...['range', 'generate_series'].map(seriesTable),
  macro('__date_parts', '(parts, t, row_of) AS system.main.list_transform([t], row_of)[1]'),
  ...['', 'try_'].flatMap((tried) => [
    macro(`__zone_${tried}formats`, '(t, formats, read) AS system.main.list_transform([t], read)[1]'),
    macro(
      `__zone_${tried}strptime`,
      `(t, f, written) AS CASE WHEN regexp_full_match(t::VARCHAR, '(?i)\\s*(?:-?infinity|epoch)\\s*') THEN t::VARCHAR::TIMESTAMPTZ
        ELSE timezone(__zone_${tried}name(t::VARCHAR), system.main.${tried}strptime(__zone_before(t::VARCHAR), f)) END`,
    ),
  ]),
].join('\n')
