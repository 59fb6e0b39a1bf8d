/** The zone that the session has set, as the functions below are given it. */
const OWN = `''`

/** The one form in which the engine hands over a time whole. */
const key = (time: string): string => `system.main.create_sort_key((${time})::TIMESTAMP, 'ASC NULLS LAST')`

/** What a zone's clocks show at an instant: TIMESTAMP. */
const local = (instant: string, zone = OWN): string => `__zone_to_local(${zone}, ${key(instant)})`

/** When a zone's clocks show a local time: TIMESTAMPTZ. The engine's own cast takes a TIMESTAMP for UTC. */
const instant = (time: string, zone = OWN): string => `__zone_to_instant(${zone}, ${key(time)})::TIMESTAMPTZ`

/** As the engine without ICU has it: in UTC. */
const utc = (time: string): string => `(${time})::TIMESTAMP`

const offset = (time: string, zone = OWN): string => `__zone_offset(${zone}, ${key(time)})::BIGINT`

const macro = (name: string, ...overloads: readonly string[]): string =>
  `CREATE MACRO memory.main.${name}${overloads.join(', ')};`

/** One of the engine's functions: ours where it's given a time with a zone. It stands in the engine's place where that fails. */
const over = (name: string, ...overloads: readonly string[]): string => macro(`__zone_${name}`, ...overloads)

/**
 * Overloads that leave what has no zone to the engine: of a date and of a timestamp by name, because both can be cast to
 * one with a zone.
 * @param before parameters before it
 */
const others = (name: string, before: readonly string[] = []): string[] =>
  ['v DATE', 'v TIMESTAMP', 'v'].map(
    (own) => `(${[...before, own].join(', ')}) AS system.main.${name}(${[...before, 'v'].join(', ')})`,
  )

/** The same of two times. */
const otherPairs = (name: string, before: readonly string[] = [], behind: readonly string[] = []): string[] =>
  [' DATE', ' TIMESTAMP', ''].map((type) => {
    const given = [...before, 'a', 'b', ...behind].join(', ')
    return `(${[...before, `a${type}`, `b${type}`, ...behind].join(', ')}) AS system.main.${name}(${given})`
  })

/** Overloads of two times of which one at least has a zone: what has none is taken for the session's zone's. */
const pairs = (
  body: (a: string, b: string) => string,
  before: readonly string[] = [],
  behind: readonly string[] = [],
): string[] =>
  [
    ['a TIMESTAMPTZ', 'b TIMESTAMPTZ', body('a', 'b')],
    ['a TIMESTAMPTZ', 'b TIMESTAMP', body('a', instant('b'))],
    ['a TIMESTAMP', 'b TIMESTAMPTZ', body(instant('a'), 'b')],
  ].map(([a, b, value]) => `(${[...before, a, b, ...behind].join(', ')}) AS ${value}`)

/** Functions of what the zone's clocks show. */
const OF_LOCAL =
  'century day dayname dayofmonth dayofweek dayofyear decade era hour isodow isoyear julian last_day microsecond millennium millisecond minute month monthname nanosecond quarter second week weekday weekofyear year yearweek'.split(
    ' ',
  )
/** Functions of the instant itself. */
const OF_INSTANT = ['epoch', 'epoch_ms', 'epoch_ns']

const Z = 'z TIMESTAMPTZ'

/** Parts of a time that its local form doesn't have. */
export const PARTS_OF_INSTANT: ReadonlySet<string> = new Set(['epoch', 'timezone', 'timezone_hour', 'timezone_minute'])
const unknownPart = `error('Write the part as a text in the statement: which it is has to be known before it runs.')`

const ofPart = (name: string): string =>
  over(
    name,
    `(p, ${Z}) AS CASE WHEN regexp_matches(p::VARCHAR, '(?i)epoch|timezone') AND ${offset('z')} <> 0 THEN ${unknownPart} ELSE system.main.date_part(p, ${local('z')}) END`,
    ...others(name, ['p']),
  )

/** Parts that are as long everywhere: how many lie between two instants has nothing to do with the zone's clocks. */
const EVEN =
  'hour hours h hr hrs minute minutes m min mins second seconds s sec secs millisecond milliseconds ms msec msecs microsecond microseconds us usec usecs'
    .split(' ')
    .map((part) => `'${part}'`)
    .join(', ')
const cut = (time: string): string => utc(instant(`system.main.date_trunc(p, ${local(time)})`))
const ofTwo = (name: string, form: (time: string) => string): string =>
  over(
    name,
    ...pairs(
      (a, b) =>
        `CASE WHEN lower(p) IN (${EVEN}) THEN system.main.date_sub(p, ${form(a)}, ${form(b)}) ELSE system.main.${name}(p, ${local(a)}, ${local(b)}) END`,
      ['p'],
    ),
    ...otherPairs(name, ['p']),
  )

const otherBuckets = ['v DATE', 'v TIMESTAMP', 'v'].map((own) => `(i, ${own}, o) AS system.main.time_bucket(i, v, o)`)
/** An instant, of a value of either kind. */
const zonedFrom = (value: string): string => `(${even(value)})::TIMESTAMPTZ`
const bucket = (more: string): string => `system.main.time_bucket(i, ${utc('z')}${more})::TIMESTAMPTZ`

const listOf = (through: boolean, a: string, b: string): string =>
  `list_transform(__zone_series('${through}', ${key(a)}, ${key(b)}, (i)::VARCHAR)::BIGINT[], lambda x: make_timestamp(x)::TIMESTAMPTZ)`
const listed = (through: boolean): readonly string[] => pairs((a, b) => listOf(through, a, b), [], ['i'])
const fewer = (name: string): readonly string[] => [
  `(a) AS system.main.${name}(a)`,
  `(a, b) AS system.main.${name}(a, b)`,
]
const series = (name: string, through: boolean): string =>
  over(name, ...listed(through), ...otherPairs(name, [], ['i']), ...fewer(name))
/** The same as a table. */
const seriesTable = (name: string, through: boolean): string => {
  const given = listed(through).map((each) => each.replace(' AS ', ' AS TABLE (SELECT unnest(') + `) AS ${name})`)
  const left = [...otherPairs(name, [], ['i']), ...fewer(name)]
  return over(name, ...given, ...left.map((each) => each.replace(' AS ', ' AS TABLE (FROM ') + ')'))
}

const NOW = 'system.main.get_current_timestamp()'
const NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second']

/** Names of the engine's functions that `__zone_<name>` can stand for. */
export const ZONED: ReadonlySet<string> = new Set([
  ...OF_LOCAL,
  ...OF_INSTANT,
  ...'age date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc generate_series range strftime time_bucket timezone_hour timezone_minute'.split(
    ' ',
  ),
])

/** Whether a value that the engine tells no type of has a zone: it tells none of aggregates, while it looks for a macro. */
const hasZone = (value: string): string => `typeof(${value}) = 'TIMESTAMP WITH TIME ZONE'`
const clock = (value: string): string =>
  `CASE WHEN ${hasZone(value)} THEN ${local(value)} ELSE (${value})::TIMESTAMP END`
const even = (value: string): string => `CASE WHEN ${hasZone(value)} THEN ${utc(value)} ELSE ${utc(instant(value))} END`
const zonedOnly = (value: string, body: string): string =>
  `CASE WHEN ${hasZone(value)} THEN ${body} ELSE error('Whether a time has a zone isn’t known here before it is computed: compute it in a subquery, and use its column.') END`

const untyped = (name: string, overload: string): string => macro(`__zoned_${name}`, overload)

/** The same for values that the engine tells no type of. */
const UNTYPED = [
  ...OF_LOCAL.map((name) => untyped(name, `(x) AS system.main.${name}(${clock('x')})`)),
  ...OF_INSTANT.map((name) => untyped(name, `(x) AS system.main.${name}(${even('x')})`)),
  ...['date_part', 'datepart'].map((name) =>
    untyped(
      name,
      `(p, x) AS CASE WHEN regexp_matches(p::VARCHAR, '(?i)epoch|timezone') THEN ${unknownPart} ELSE system.main.date_part(p, ${clock('x')}) END`,
    ),
  ),
  ...['date_trunc', 'datetrunc'].map((name) =>
    untyped(name, `(p, x) AS ${zonedOnly('x', instant(`system.main.date_trunc(p, ${local('x')})`))}`),
  ),
  ...['date_diff', 'datediff', 'date_sub', 'datesub'].map((name) => {
    const form = name.endsWith('diff') ? (x: string) => cut(zonedFrom(x)) : even
    return untyped(
      name,
      `(p, a, b) AS CASE WHEN lower(p) IN (${EVEN}) THEN system.main.date_sub(p, ${form('a')}, ${form('b')}) ELSE system.main.${name}(p, ${clock('a')}, ${clock('b')}) END`,
    )
  }),
  untyped('age', `(a, b) AS system.main.age(${clock('a')}, ${clock('b')})`),
  untyped('time_bucket', `(i, x) AS ${zonedOnly('x', `system.main.time_bucket(i, ${utc('x')})::TIMESTAMPTZ`)}`),
  untyped('clock', `(x) AS ${clock('x')}`),
  untyped('fill', `(t, x) AS ${zonedOnly('x', `__zone_filled(t, ${key('x')})`)}`),
  ...[false, true].flatMap((through) => {
    const name = through ? 'generate_series' : 'range'
    const instants = zonedOnly('a', listOf(through, 'a', 'b'))
    return [
      untyped(name, `(a, b, i) AS ${instants}`),
      untyped(name, `(a, b, i) AS TABLE (SELECT unnest(${instants}) AS ${name})`),
    ]
  }),
  untyped('timezone_of', `(x, zone) AS ${zonedOnly('x', local('x', 'zone::VARCHAR'))}`),
  untyped('timezone', `(zone, x) AS ${zonedOnly('x', local('x', 'zone::VARCHAR'))}`),
  untyped('timezone_hour', `(x) AS ${zonedOnly('x', `${offset('x')} // 3600`)}`),
  untyped('timezone_minute', `(x) AS ${zonedOnly('x', `(${offset('x')} % 3600) // 60`)}`),
]

/** Of them, `__zoned_<name>` stands for `__zone_<name>`. */
export const UNTYPED_NAMES: ReadonlySet<string> = new Set([...ZONED, 'clock', 'fill', 'timezone'])

/**
 * What DuckDB leaves to its ICU extension. The names that the engine has for times without a zone are left to it: ours
 * stand in a statement in their place once the engine has refused them, see `edits.ts`.
 */
export const ZONE_MACROS = [
  ...UNTYPED,
  macro('now', `() AS ${NOW}`),
  macro('current_localtimestamp', `() AS ${local(NOW)}`),
  macro('today', `() AS ${local(NOW)}::DATE`),
  macro('current_date', `() AS ${local(NOW)}::DATE`),
  macro(
    'get_current_time',
    `() AS (strftime(${local(NOW)}, '%H:%M:%S.%f') || __zone_filled(chr(3), ${key(NOW)}))::TIMETZ`,
  ),
  macro('current_localtime', `() AS ${local(NOW)}::TIME`),
  macro('__zone_date', `(z) AS ${local('z')}::DATE`),
  macro(
    'timezone',
    `(${Z}) AS ${offset('z')}`,
    `(zone VARCHAR, t TIMESTAMP) AS ${instant('t::TIMESTAMP', 'zone::VARCHAR')}`,
    `(zone VARCHAR, ${Z}) AS ${local('z', 'zone::VARCHAR')}`,
    `(zone VARCHAR, t TIMETZ) AS system.main.timezone(to_seconds(${offset(NOW, 'zone')}), t)`,
    '(a, b) AS system.main.timezone(a, b)',
  ),
  over('timezone_hour', `(${Z}) AS ${offset('z')} // 3600`, ...others('timezone_hour')),
  over('timezone_minute', `(${Z}) AS (${offset('z')} % 3600) // 60`, ...others('timezone_minute')),
  ...OF_LOCAL.map((name) => over(name, `(${Z}) AS system.main.${name}(${local('z')})`, ...others(name))),
  ...OF_INSTANT.map((name) => over(name, `(${Z}) AS system.main.${name}(${utc('z')})`, ...others(name))),
  ...['date_part', 'datepart'].map(ofPart),
  ...['date_trunc', 'datetrunc'].map((name) =>
    over(name, `(p, ${Z}) AS ${instant(`system.main.date_trunc(p, ${local('z')})`)}`, ...others(name, ['p'])),
  ),
  ...['date_diff', 'datediff'].map((name) => ofTwo(name, cut)),
  ...['date_sub', 'datesub'].map((name) => ofTwo(name, utc)),
  over(
    'age',
    `(${Z}) AS system.main.age(${local(NOW)}::DATE::TIMESTAMP, ${local('z')})`,
    ...pairs((a, b) => `system.main.age(${local(a)}, ${local(b)})`),
    ...others('age'),
    ...otherPairs('age'),
  ),
  over(
    'time_bucket',
    `(i INTERVAL, ${Z}) AS ${bucket('')}`,
    `(i INTERVAL, ${Z}, o INTERVAL) AS ${bucket(', o')}`,
    `(i INTERVAL, ${Z}, o TIMESTAMPTZ) AS ${bucket(`, ${utc('o')}`)}`,
    `(i INTERVAL, ${Z}, zone VARCHAR) AS ${instant(`system.main.time_bucket(i, ${local('z', 'zone')})`, 'zone')}`,
    ...others('time_bucket', ['i']),
    ...otherBuckets,
  ),
  // For strftime, which takes no format that isn't constant: `edits.ts` puts them around its arguments.
  macro('__zone_clock', `(${Z}) AS ${local('z')}`, '(v DATE) AS v', '(v TIMESTAMP) AS v', '(v) AS v'),
  macro(
    '__zone_fill',
    `(t, ${Z}) AS __zone_filled(t, ${key('z')})`,
    ...['v DATE', 'v TIMESTAMP', 'v'].map(
      (own) => `(t, ${own}) AS replace(replace(replace(t, chr(1), '%'), chr(2), ''), chr(3), '+00')`,
    ),
  ),
  // Of sums, the engine says what they are of: these are given nothing else.
  macro('__zone_plus', `(z, i) AS __zone_add(${key('z')}, (i)::VARCHAR, '+')::TIMESTAMPTZ`),
  macro('__zone_plus_to', `(i, z) AS __zone_add(${key('z')}, (i)::VARCHAR, '+')::TIMESTAMPTZ`),
  macro('__zone_minus', `(z, i) AS __zone_add(${key('z')}, (i)::VARCHAR, '-')::TIMESTAMPTZ`),
  macro('__zone_between', `(a, b) AS ${local('a')} - ${local('b')}`),
  macro('__zone_own', `(t) AS ${instant('t')}`),
  series('range', false),
  series('generate_series', true),
  seriesTable('range', false),
  seriesTable('generate_series', true),
  macro(
    'make_timestamptz',
    '(micros) AS system.main.make_timestamp(micros::BIGINT)::TIMESTAMPTZ',
    `(${NAMES.join(', ')}) AS ${instant(`make_timestamp(${NAMES.join(', ')})`)}`,
    `(${NAMES.join(', ')}, zone) AS ${instant(`make_timestamp(${NAMES.join(', ')})`, 'zone::VARCHAR')}`,
  ),
  macro('__zone_cast', `(t VARCHAR) AS __zone_text(t)::TIMESTAMPTZ`, `(v) AS v::TIMESTAMPTZ`),
  macro(
    '__zone_try_cast',
    `(t VARCHAR) AS TRY_CAST(__zone_try_text(t) AS TIMESTAMPTZ)`,
    `(v) AS TRY_CAST(v AS TIMESTAMPTZ)`,
  ),
  over(
    'strptime',
    `(t, f) AS ${instant(`system.main.strptime(__zone_before(t::VARCHAR), f)`, `__zone_behind(t::VARCHAR)`)}`,
  ),
  over(
    'try_strptime',
    `(t, f) AS ${instant(`system.main.try_strptime(__zone_before(t::VARCHAR), f)`, `__zone_try_behind(t::VARCHAR)`)}`,
  ),
  macro(
    'pg_timezone_names',
    `() AS TABLE SELECT z[1] AS name, z[2] AS abbrev, to_seconds(z[3]::INTEGER) AS utc_offset, z[4]::BOOLEAN AS is_dst FROM (SELECT unnest(__zone_list(${key(NOW)})::VARCHAR[][]) AS z)`,
  ),
].join('\n')
