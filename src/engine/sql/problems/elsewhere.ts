import type { Statement } from '../statement.ts'

/* What other databases write otherwise, and how it's written here. */

/** Functions: examples of columns `a` and `b`, a `text`, a `time`, a `list` and a `json`, which run as they stand. */
export const FUNCTIONS: readonly (readonly [names: string, instead: string])[] = [
  ['nvl isnull', 'coalesce(a, b)'],
  ['nvl2', 'if(a IS NOT NULL, b, 0)'],
  ['iif iff', 'if(a > b, a, b)'],
  ['zeroifnull', 'coalesce(a, 0)'],
  ['nullifzero', 'nullif(a, 0)'],
  ['div0 safe_divide try_divide', 'a / nullif(b, 0)'],
  ['convert to_number to_numeric to_decimal cdbl cint', 'CAST(a AS DOUBLE)'],
  ['try_convert try_parse try_to_number safe_cast', 'TRY_CAST(text AS DOUBLE)'],
  ['isnumeric is_numeric', 'TRY_CAST(text AS DOUBLE) IS NOT NULL'],
  ['isdate', 'TRY_CAST(text AS DATE) IS NOT NULL'],
  ['getdate getutcdate sysdate sysdatetime systimestamp', 'now()'],
  ['curdate', 'current_date'],
  ['dateadd timestampadd adddate', 'time + INTERVAL 1 DAY'],
  ['subdate', 'time - INTERVAL 1 DAY'],
  ['add_months', 'time + INTERVAL 1 MONTH'],
  ['months_between', "date_diff('month', time, now()::TIMESTAMP)"],
  ['timestampdiff timestamp_diff', "date_diff('day', time, now()::TIMESTAMP)"],
  ['to_char date_format format_date format_datetime format_timestamp', "strftime(time, '%Y-%m-%d')"],
  ['to_date str_to_date parse_date parse_datetime parse_timestamp', "strptime(text, '%d.%m.%Y')"],
  ['unix_timestamp', 'epoch(time)'],
  ['timestamp_trunc datetime_trunc', "date_trunc('day', time)"],
  ['julianday', 'julian(time)'],
  ['from_unixtime', 'to_timestamp(a)'],
  ['datefromparts date_from_parts', 'make_date(2024, 1, 31)'],
  ['eomonth', 'last_day(time)'],
  ['datename', 'monthname(time)'],
  ['charindex locate', "strpos(text, 'a')"],
  ['regexp_like regexp_contains rlike', "regexp_matches(text, '^a')"],
  ['regexp_substr', "regexp_extract(text, '[0-9]+')"],
  ['regexp_count', "len(regexp_extract_all(text, 'a'))"],
  ['initcap', "array_to_string([upper(w[1]) || lower(w[2:]) FOR w IN string_split(text, ' ')], ' ')"],
  ['editdistance', "levenshtein(text, 'a')"],
  ['hashbytes', 'md5(text)'],
  ['replicate', 'repeat(text, 3)'],
  ['space', "repeat(' ', 3)"],
  ['substring_index strtok', "split_part(text, '.', 1)"],
  ['datalength', 'strlen(text)'],
  ['newid generate_uuid uuid_string uuid_generate_v4', 'uuid()'],
  ['rand', 'random()'],
  ['rownum', 'row_number() OVER ()'],
  ['average', 'avg(a)'],
  ['truncate', 'trunc(a)'],
  ['logical_or', 'bool_or(a > 1)'],
  ['logical_and', 'bool_and(a > 1)'],
  ['collect_list', 'list(a)'],
  ['collect_set', 'list(DISTINCT a)'],
  ['approx_distinct ndv', 'approx_count_distinct(a)'],
  ['percentile percentile_cont', 'quantile_cont(a, 0.5)'],
  ['approx_percentile percentile_approx', 'approx_quantile(a, 0.5)'],
  ['size array_size', 'len(list)'],
  ['explode', 'unnest(list)'],
  ['generate_array', 'generate_series(1, 10)'],
  ['generate_date_array', 'generate_series(time, now()::TIMESTAMP, INTERVAL 1 DAY)'],
  ['array_join', "array_to_string(list, ', ')"],
  ['get_json_object json_query', "json -> '$.a'"],
  ['json_extract_scalar get_json_string', "json ->> '$.a'"],
  ['parse_json json_parse try_parse_json', 'TRY_CAST(text AS JSON)'],
  ['to_json_string', 'to_json(a)'],
  ['object_construct', "{'a': 1}"],
]

/** Types. */
export const TYPES: readonly (readonly [names: string, instead: string])[] = [
  ['varchar2 nvarchar2 ntext clob nclob longtext mediumtext tinytext', 'VARCHAR'],
  ['number', 'DECIMAL(18, 2)'],
  ['money smallmoney', 'DECIMAL(19, 4)'],
  ['mediumint', 'INTEGER'],
  ['unsigned', 'UBIGINT'],
  ['float64 binary_double', 'DOUBLE'],
  ['float32 binary_float', 'FLOAT'],
  ['datetime2 smalldatetime timestamp_ntz', 'TIMESTAMP'],
  ['datetimeoffset timestamp_tz timestamp_ltz', 'TIMESTAMPTZ'],
  ['jsonb object', 'JSON'],
  ['uniqueidentifier', 'UUID'],
  ['image longblob mediumblob raw', 'BLOB'],
  ['serial bigserial smallserial', "INTEGER DEFAULT nextval('ids'), after CREATE SEQUENCE ids"],
]

/** Forms of statements, by their words with a blank between two; what a group matched stands for `$1`. */
const FORMS: readonly (readonly [RegExp, remedy: string])[] = [
  [/\bselect (?:distinct |all )?top (?:\( )?(\d+)/i, 'Write LIMIT $1 at the end of the SELECT.'],
  [/\blimit (\d+) , (\d+)/i, 'Write LIMIT $2 OFFSET $1.'],
  [/\* except \( ([\w" ,]+) \)/i, 'Write EXCLUDE instead of EXCEPT: * EXCLUDE ($1).'],
  [/\bwithin group \(/i, "Write ORDER BY inside: string_agg(a, ', ' ORDER BY a)."],
  [/\bseparator ''/i, "Write the separator as the second value: string_agg(a, ', ')."],
  [/\b(?:array_agg|string_agg|list) \([^()]* limit \d+ \)/i, 'Take the first of a list: list(a ORDER BY a)[:2].'],
  [/ with (?<=\bgroup by (.+?) with )(rollup|cube)\b/i, 'Write GROUP BY $2 ($1).'],
  [/\bfrom dual\b/i, 'Leave out FROM DUAL.'],
  [/\brownum\b/i, 'Write LIMIT 10 for the first rows, or row_number() OVER () for their numbers.'],
  [/\( \+ \)/, 'Write LEFT JOIN … ON instead of (+).'],
  [/\bsafe_cast \( /i, 'Write TRY_CAST instead of SAFE_CAST.'],
  [/(?:\bselect|,) struct \( /i, "Write a struct as {'a': 1}."],
  [/\barray \( (?!select\b)/i, 'Write a list as [1, 2].'],
  [/\bvarchar \( max \)/i, 'Write VARCHAR: it has no limit.'],
  [/\b(timestamp) \( ''/i, 'Write CAST(text AS $1).'],
  [
    /^alter table (\S+) (?:modify|change)(?: column)? (\S+)/i,
    'Write ALTER TABLE $1 ALTER $2 TYPE …, or RENAME $2 TO ….',
  ],
  [/^create (?:or replace )?function .* returns /i, 'Write CREATE MACRO name(x) AS x + 1.'],
  [/^exec (\S+)/i, 'Write EXECUTE $1 for what PREPARE has named, or FROM $1(…) for a table macro.'],
  [/^\. (?:tables|schema)\b|^\\ (?:dt?|l)$/i, 'Write SHOW ALL TABLES.'],
  [/^\\ d\S* (\S+)$/i, 'Write DESCRIBE $1.'],
  [/\b(?:sysdate|systimestamp)\b/i, 'Write now().'],
  [/^go$/i, 'Leave it out: semicolons separate statements.'],
  [/` ?([^`]+?) ?`/, 'Write the name in double quotes: "$1".'],
  [/(?:\bfrom|\bjoin|\.|,|\bselect) \[ ([a-z_]\w*(?: \w+)*) \]/i, 'Write the name in double quotes: "$1".'],
  [/^(?:select|with) .*\binto (\S+) from\b/i, 'Write CREATE TABLE $1 AS before the SELECT, and leave out INTO $1.'],
  [/\bminus select\b/i, 'Write EXCEPT instead of MINUS.'],
  [/\bcross apply\b/i, 'Write CROSS JOIN LATERAL instead of CROSS APPLY.'],
  [/\bouter apply\b/i, 'Write LEFT JOIN LATERAL (…) ON true instead of OUTER APPLY.'],
  [/("[^"]*"|\S+) (?:rlike|regexp) /i, "Write regexp_matches($1, 'pattern')."],
  [/\bwith \( nolock \)/i, 'Leave out WITH (NOLOCK): nothing is ever locked here.'],
  [
    /\bdate_?(?:diff|part|trunc|sub) \( (year|quarter|month|week|day|hour|minute|second) ,/i,
    "Write the part in single quotes: '$1'.",
  ],
  [/^declare\b|@ \w+/i, "Write SET VARIABLE name = value, and getvariable('name') for its value."],
  [/\bauto_?increment\b|\bidentity \(/i, "Write DEFAULT nextval('ids') instead, after CREATE SEQUENCE ids."],
  [/\bon duplicate key update\b/i, 'Write ON CONFLICT DO UPDATE SET instead of ON DUPLICATE KEY UPDATE.'],
  [/^replace into\b/i, 'Write INSERT OR REPLACE INTO.'],
  [/^insert ignore\b/i, 'Write INSERT OR IGNORE INTO.'],
  [/^show (?:full )?(?:columns|fields) (?:from|in) (\S+)/i, 'Write DESCRIBE $1.'],
  [/^show (?:all )?(functions|settings|types|variables)$/i, 'Write FROM duckdb_$1().'],
  [/^show (?:index|indexes|keys) /i, 'Write FROM duckdb_indexes().'],
  [/^rename table (\S+) to (\S+)/i, 'Write ALTER TABLE $1 RENAME TO $2.'],
  [/\blateral view explode \( (\S+) \)/i, 'Write, after the table, a comma and unnest($1) AS u(value).'],
  [/^upsert into\b/i, 'Write INSERT OR REPLACE INTO.'],
  [/^show create table (\S+)/i, "Write SELECT sql FROM duckdb_tables() WHERE table_name = '$1'."],
  [/^create table (\S+) like (\S+)/i, 'Write CREATE TABLE $1 AS FROM $2 LIMIT 0.'],
  [/^update (\S+) (?:\w+ )?(?:inner |left )?join\b/i, 'Write UPDATE $1 SET … FROM the other table WHERE ….'],
]

/** What the engine says of such forms. */
const MISREAD =
  /^(?:syntax error|SELECT INTO not supported|This way of writing it|Names can’t be quoted|There is no function|There is no table (?:dual|functions|settings|types|variables)\b|Unknown ordered aggregate|Referenced column)/i

const byName = (list: typeof FUNCTIONS): ReadonlyMap<string, string> =>
  new Map(list.flatMap(([names, instead]) => names.split(' ').map((name) => [name, instead] as const)))
const INSTEAD: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  function: byName(FUNCTIONS),
  type: byName(TYPES),
}

/** What is written here where a statement, by what's wrong with it, speaks as other databases do; null where it doesn't. */
export function saidElsewhere(message: string, { tokens }: Statement): string | null {
  const [, kind = '', name = ''] = /^There is no (function|type) (\w+) here/.exec(message) ?? []
  const instead = INSTEAD[kind]?.get(name.toLowerCase())
  if (instead !== undefined) return `Write ${instead}.`
  if (!MISREAD.test(message)) return null
  const words = tokens.map(({ kind: of, text }) => (of === 'string' ? "''" : text)).join(' ')
  for (const [form, remedy] of FORMS) {
    const found = form.exec(words)
    if (found)
      return remedy.replaceAll(/\$(\d)/g, (_, group: string) => (found[Number(group)] ?? '').replaceAll(' ,', ','))
  }
  return null
}
