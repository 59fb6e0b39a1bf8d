/* What to do about what the engine says of a statement: a sentence each. */

/** Functions that the engine only knows with OVER. */
const WINDOW_FUNCTION =
  /^(?:cume_dist|dense_rank|fill|first_value|lag|last_value|lead|nth_value|ntile|percent_rank|rank|rank_dense|row_number)$/i

export const isWindowFunction = (name: string): boolean => WINDOW_FUNCTION.test(name)

/** The engine's own suggestions: the end of a message. */
export const CANDIDATES = /\n+(?:Candidate (?:bindings|entries|tables):?|Did you mean:) :?([^]*)$/i

const COLUMNS = 'DESCRIBE with a table’s name lists its columns.'

/** By how the messages begin, as what comes later may be a value, but for the engine's candidates. The first that fits is taken. */
const REMEDIES: readonly (readonly [RegExp, remedy: string])[] = [
  [/^Referenced table /, 'Name one that stands after FROM, by its alias where it has one.'],
  [/^Referenced column "[“”„‘’‚´]/, "Write text in straight quotes: 'North'."],
  [
    /^Referenced column "[^]*FROM clause is missing/,
    'Write FROM and a table’s name after it. Text stands in single quotes.',
  ],
  [CANDIDATES, 'Write one of these instead. Text stands in single quotes.'],
  [
    /^(?:Could not convert string '[^]*' to INTERVAL|Unimplemented type for cast \(\w+ -> INTERVAL\))/,
    'Write the number and its unit: INTERVAL 1 DAY.',
  ],
  [
    /^(?:Could not (?:convert string|cast value)|(?:Type )?\w+ with value |Failed to cast|Invalid (?:hex escape code|character) encountered in string ->)/,
    'Use TRY_CAST to get NULL where a value doesn’t fit, or choose another type.',
  ],
  [
    /^(?:invalid )?(?:date|time|timestamp) field/,
    'Use TRY_CAST to get NULL where a text is none, or strptime to say how it’s written.',
  ],
  [/^Could not parse string/, 'Use try_strptime to get NULL where a text is written differently.'],
  [/^Failed to parse format specifier/, 'Use specifiers such as %Y-%m-%d %H:%M:%S, or %b for Jan.'],
  [
    /^(?:Cannot compare values of type (?:DATE|TIMESTAMP\b|\w+ and type (?:DATE|TIMESTAMP)\b)|Unimplemented type for cast \(\w+ -> (?:DATE|TIMESTAMP)\))/,
    "Write a date as DATE '2024-01-31', or compare a part of it: year(date) = 2024.",
  ],
  [/^Unimplemented type for cast/, 'Use values of the same kind, or cast to another type.'],
  [/^(?:Overflow in|Value out of range)/, 'Cast to a wider type first, such as BIGINT, HUGEINT or DOUBLE.'],
  [
    /^(?:cannot take (?:logarithm|square root)|A(?:SIN|COS|COSH|TANH) is undefined|Could not decode string|Invalid input for hex|(?:Date|Time|Timestamp) out of range|Date and time not in timestamp range|(?:Left|Right)-shift value|Cannot (?:left|right)-shift|bit index|Overflow on|Cannot perform list_reduce)/i,
    'Leave such values out with WHERE, or write TRY(…) around it to get NULL for them.',
  ],
  [/^Malformed JSON/, 'TRY_CAST to JSON gives NULL where a text isn’t JSON; json_valid tells which are.'],
  [/^What stands after -> is a comparison/, "Put the arrow in parentheses: (json ->> 'a') = 'x'."],
  [/^What stands after -> is a list/, "Give it to a function: json_extract(json, ['a', 'b'])."],
  [/^What stands after -> has to be/, 'Cast the path to VARCHAR.'],
  [
    /^column (?:"[^]*"|\S+) must appear in the GROUP BY/,
    'Add it to GROUP BY, write GROUP BY ALL, or take one of its values with any_value.',
  ],
  [/^No column fits COLUMNS/, `${COLUMNS} A variable that isn’t set is NULL, which none fits.`],
  [/^Cannot unpivot columns of types/, 'Cast them in a subquery: UNPIVOT (SELECT COLUMNS(*)::VARCHAR FROM t) ON ….'],
  [/^window "[^"]*" does not exist/, 'Define it after FROM: WINDOW w AS (PARTITION BY …).'],
  [/^Referenced column /, `${COLUMNS} Text stands in single quotes.`],
  [
    /^(?:Table "[^]*" does not have a column|Column "|Referenced update column|No matching columns|No columns found)/,
    COLUMNS,
  ],
  [/^Ambiguous reference to column [^]*"(memory\.[^"]+)" or "\1"/, 'Give one of the tables another name with AS.'],
  [/^Ambiguous reference to column/, 'Write the one that you mean.'],
  [/^Ambiguous reference to table/, 'Give one of them another name with AS.'],
  [/^WHERE clause cannot contain aggregates/, 'Write HAVING after GROUP BY instead.'],
  [/^WHERE clause cannot contain window functions/, 'Write QUALIFY instead of WHERE.'],
  [/^at least one window function must appear/, 'Write WHERE instead, or HAVING after GROUP BY.'],
  [/^aggregate function calls cannot be nested/, 'Write the inner one in a subquery: SELECT … FROM (SELECT …).'],
  [/^GROUP BY clause cannot contain aggregates/, 'Group by columns; conditions on aggregates stand in HAVING.'],
  [/^More than one row returned by a subquery/, 'Aggregate in it, add LIMIT 1, or write IN or a join.'],
  [/^A row of \d+ values can’t be compared/, 'Give both the same number of values: (1, 2) = (3, 4).'],
  [/^Subquery returns \d+ columns - expected (?:[2-9]|\d\d)/, 'Select as many columns in it as there are before it.'],
  [/^Subquery returns \d+ columns/, 'Select one column in it.'],
  [/^Set operations can only apply/, 'Select as many columns on both sides, or write UNION BY NAME.'],
  [/^Cannot (?:mix|compare) values of type/, 'Cast one of them to the other’s type.'],
  [/^SELECT clause without selection list/, 'Name what to select, or write * for all columns.'],
  [
    /^syntax error at end of input/,
    'Something is missing at its end, such as a closing parenthesis, or ON … after a JOIN.',
  ],
  [/^syntax error at or near "=>"/, 'Write >= to compare.'],
  [/^syntax error at or near "=="/, 'Write = once to set a value.'],
  [/^syntax error at or near/, 'Correct the statement there, or just before.'],
  [/^unterminated quoted/, 'Close it with another quote; a quote within is written twice.'],
  [/^extract specifier /, 'Use year, quarter, month, week, day, hour, minute, second, millisecond or microsecond.'],
  [
    /^(?:Failed to compile regex|missing [)\]]|unexpected \)|no argument for repetition|invalid (?:escape sequence|character class|perl operator))/,
    'Correct the regular expression. A backslash before a sign takes it as it is.',
  ],
  [/^The step of a range/, 'Use one above 0, or one below 0 to count down.'],
  [/^Period must be greater than 0/, 'Use an interval such as INTERVAL 1 DAY.'],
  [
    /^Table function cannot contain subqueries/,
    "Write the value itself, or put it into a variable: SET VARIABLE v = (SELECT …), then getvariable('v').",
  ],
  [/^Width must be between/, 'Use at most DECIMAL(38, 10), or DOUBLE.'],
  [
    /^Scale cannot be bigger than width/,
    'The first number counts all digits: DECIMAL(10, 2) has eight before the point.',
  ],
  [/^RANGE frames must have only one/, 'Add ORDER BY inside of OVER (…), or write ROWS for RANGE.'],
  [/^frame (?:starting|ending)/, 'Name the earlier row first: BETWEEN 1 PRECEDING AND 1 FOLLOWING.'],
  [
    /^UNNEST not supported here/,
    'Write it in SELECT of a subquery, or after FROM: FROM t, unnest(t.list) AS u(value).',
  ],
  [/^Missing ASOF JOIN inequality/, 'Compare the two in ON: a.time >= b.time.'],
  [
    /^(?:aggregate function calls cannot contain window|window functions are not allowed in window)/,
    'Write the inner one in a subquery: SELECT … FROM (SELECT …).',
  ],
  [/^Columns can only be referenced within the aggregate of a PIVOT/, 'Write an aggregate there: USING sum(value).'],
  [
    /^(?:Enum value: unrecognized value "[^]*" for enum "OrderType"|Unrecognized parameter for option DEFAULT_ORDER)/,
    "Use 'ASC' or 'DESC'.",
  ],
  [/^Cannot cast array of size/, 'Give both the same number of values, or cast them to lists, such as INTEGER[].'],
  [/^Argument index "\d+" out of range/, 'Give it a value for each {} or %.'],
  [/^Invalid type specifier/, 'Use {} or %s for text.'],
  [
    /^cannot (?:commit|rollback) - no transaction is active/,
    'No transaction is open: each statement was committed by itself. Start one with BEGIN.',
  ],
  [/^cannot start a transaction within/, 'COMMIT or ROLLBACK ends the one that was open.'],
  [/^Cannot write to database [^]* read-only mode/, 'Begin the transaction with BEGIN alone.'],
  [/^Names can’t be quoted with backticks/, 'Write them in double quotes: "order id".'],
  [/^There is no operator =</, 'Write <= to compare.'],
  [/^There is no operator !?~\*/, "Write ILIKE, or regexp_matches(text, 'pattern', 'i')."],
  [/^\S+ is a window function/, 'Write, for example, OVER (PARTITION BY a ORDER BY b).'],
  [/^\* expression without FROM/, 'Write FROM and a table’s name after it.'],
  [/^PIVOT IN list must/, "Write the values in single quotes: IN ('a', 'b')."],
  [/^Column name\/value mismatch/, 'Give one value for each column.'],
  [/^Failed to create foreign key/, 'Make the column that it refers to PRIMARY KEY or UNIQUE first.'],
  [/^Please provide an index name/, 'Write CREATE INDEX name ON t (a).'],
  [/^There is no operator !/, 'Write NOT.'],
  [/^LIMIT\/OFFSET cannot be negative/, 'Use 0 or more.'],
  [/^(?:ORDER|GROUP BY) term out of range/, 'Use the number or the name of a selected column.'],
  [/^UNNEST\(\) can only be applied/, 'Give it a list: [x] is a list of one value.'],
  [/^Cannot cast list with length/, 'Give it as many values, or cast to a list, such as INTEGER[].'],
  [/^Map keys must be unique/, 'Use each key once.'],
  [/^Wrong number of arguments to IFNULL/, 'IFNULL takes two: IFNULL(value, otherwise).'],
  [/^Wrong number of arguments to IF/, 'IF takes three: IF(condition, then, otherwise).'],
  [
    /^table [^]* has \d+ columns but \d+ values/,
    'Give one for each, or name the columns that get values: INSERT INTO t (a, b) VALUES ….',
  ],
  [
    /^(?:PRIMARY KEY or UNIQUE constraint|Duplicate key)/,
    'Use another key, or write INSERT OR REPLACE, or ON CONFLICT DO NOTHING.',
  ],
  [/^NOT NULL constraint failed/, 'Give it a value.'],
  [/^CHECK constraint failed/, 'Use values that meet the check.'],
  [/^Violates foreign key constraint[^]* does not exist in/, 'Add the row that it refers to first.'],
  [/^Violates foreign key constraint/, 'Change or remove the rows that refer to it first.'],
  [/^Could not drop the table because/, 'Drop that other table first.'],
  [/^Cannot drop entry/, 'Write CASCADE at the end of the statement to remove these as well.'],
  [/^The specified columns as conflict target/, 'Make them PRIMARY KEY or UNIQUE first, or leave them out.'],
  [/^Qualified column names in UPDATE/, 'Write the column’s name alone after SET.'],
  [
    /^No support for that ALTER TABLE/,
    'Make a new table with it: CREATE TABLE name (…), then INSERT INTO name FROM t.',
  ],
  [/^T_AlterObjectSchemaStmt/, 'Copy it: CREATE TABLE other.name AS FROM name, then DROP TABLE name.'],
  [/^Cannot drop column "[^]*" because/, 'Make a table without it: CREATE TABLE name AS SELECT * EXCLUDE (a) FROM t.'],
  [/^Existing object [^]* is of type (?:Table|View)/, 'Write DROP TABLE for a table, DROP VIEW for a view.'],
  [/^There is no sequence/, 'Make it first: CREATE SEQUENCE name.'],
  [/^There is no (?:index|macro|schema|view) /, 'Check how it’s written, or write IF EXISTS before the name.'],
  [/^There is no collation/, 'To have ä and Ä beside a, write ORDER BY name COLLATE NOCASE.NOACCENT.'],
  [/ has no field /, 'Of a list, list[1] is the first value, and unnest(list) makes rows of all.'],
  [/^Column with name [^]* already exists|another entry with this name already exists/, 'Choose another name.'],
  [
    /^There is no (?:table )?function \w+_(?:attach|query|scan)\b/,
    'Drop the SQLite or DuckDB file into this window. Of another database, export the table to a file, and drop that.',
  ],
  [
    /^There is no (?:table )?function st_/i,
    'There are no geometries here: keep coordinates as numbers, or as a STRUCT.',
  ],
  [/^There is no type/, 'Check how it’s written, or make it first: CREATE TYPE name AS ….'],
  [/^There is no setting/, 'FROM duckdb_settings() lists them.'],
  [/ takes other arguments: /, 'Call it with these arguments.'],
  [/ is a table function but it was used as a scalar/, 'Write it after FROM: FROM range(3).'],
  [/^Cannot concatenate types/, 'Put the value into a list as well: list || [value].'],
  [/^zero-length delimited identifier/, 'Write a name between the quotes.'],
  [/^invalid lambda expression/, 'Give it to a function: list_transform(list, lambda x: x + 1).'],
  [/^Cardinality can only/, 'Write len(list) for a list.'],
  [
    /^There is no (?:DATE|TIMESTAMP\S*|VARCHAR) [+-] (?:DATE|TIMESTAMP|VARCHAR|DECIMAL|DOUBLE)\b(?<!VARCHAR [+-] VARCHAR)/,
    'Write date + INTERVAL 1 DAY, or text::DATE.',
  ],
  [
    /^There is no (?:DATE|TIMESTAMP\S*) [*/%] /,
    "Take a number of it first: year(date), or date - DATE '2024-01-01' for days.",
  ],
  [
    /^There is no (?:century|date_part|day\w*|decade|epoch\w*|hour|last_day|minute|month\w*|quarter|second|week\w*|year\w*)\((?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL|DOUBLE)\b/i,
    "Make a date of the number first: strptime(20240131::VARCHAR, '%Y%m%d'), or to_timestamp(seconds).",
  ],
  [
    /^There is no (?:VARCHAR [+&] VARCHAR|\S+ \+ VARCHAR|VARCHAR \+)/,
    "Join texts with ||: 'a' || 'b'. To add numbers that are text, write text::DOUBLE.",
  ],
  [/^There is no \S+(?: NOT)? I?LIKE VARCHAR/, "Write ::VARCHAR before LIKE: id::VARCHAR LIKE '1%'."],
  [
    /^There is no VARCHAR \S+ |^There is no \S+ \S+ VARCHAR\./,
    'Write text::DOUBLE for a number, or text::DATE for a date.',
  ],
  [/^There is no date_?(?:part|trunc)\(VARCHAR, VARCHAR\)/i, 'Write ::DATE or ::TIMESTAMP after the text.'],
  [/^There is no sum\((?:DATE|TIME)/, 'Write min or max of times, or sum of what lies between them: sum(a - b).'],
  [/^There is no - VARCHAR/, 'Write text::DOUBLE for a number.'],
  [
    /^There is no (?:date_?(?:diff|sub|part|trunc))\(/i,
    "Write the part first, in quotes: date_diff('day', from, to). To take days off a date, write date - INTERVAL 1 DAY.",
  ],
  [/^There is no count\(/i, 'Count rows of several columns as one value: count(DISTINCT (a, b)).'],
  [/^There is no format\(/i, "Write how it’s to look first: format('{:,.2f}', number), or strftime(date, '%d.%m.%Y')."],
  [/^There is no strftime\(/i, "Write a date or a time: strftime(text::DATE, '%Y-%m')."],
  [/^There is no (?:generate_series|range)\((?:DATE|TIMESTAMP)/i, 'Write the step as INTERVAL 1 DAY.'],
  [/^There is no decode\(VARCHAR/i, 'Write CASE value WHEN 1 THEN 2 ELSE 3 END.'],
  [/^There is no octet_length\(VARCHAR/i, 'Write strlen(text) for the bytes of a text.'],
  [/^There is no trunc\((?:DATE|TIMESTAMP)/i, "Write date_trunc('month', date)."],
  [
    /^There is no \w+\(VARCHAR\)\. There is \w+\((?:DATE|INTERVAL|TIMESTAMP)/,
    'Write ::DATE or ::TIMESTAMP after the text.',
  ],
  [
    /^There is no \w+\(VARCHAR[^)]*\)\. There is \w+\((?:DECIMAL|BOOLEAN|TINYINT|SMALLINT|INTEGER|BIGINT|DOUBLE)/,
    'Write ::DOUBLE after the text, or TRY_CAST(text AS DOUBLE) where some is no number.',
  ],
  [
    /^There is no \w+\((?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL|DOUBLE|FLOAT|DATE|TIME|TIMESTAMP)\b[^]*?There is \w+\(VARCHAR/,
    'Write ::VARCHAR after the value.',
  ],
  [/^There is no \S+ && /, 'Write AND between conditions. Between lists, && says whether they share a value.'],
  [/^There is no \S+ <=> /, 'Write IS NOT DISTINCT FROM instead of <=>.'],
  [
    /^There is no (?:table )?function json_(?:(?:de)?serialize_|execute_serialized_)/,
    'To see how a statement is understood, write EXPLAIN before it.',
  ],
  [
    /^JSON can’t be made of /,
    "Take a UNION’s value with union_extract(value, 'name'), and write a row with names: {'a': 1}.",
  ],
  [/^There is no \w+\([^)]*\)\. There is (?:(?! Cast )[^])*$/, 'Give it as many values as it takes.'],
  [/^There is no (?:table )?function/, 'Check how it’s written: functions are suggested as you type.'],
]

/** What to do about a message of the engine's; null where nothing better is known than to change the statement. */
export function remedyFor(message: string): string | null {
  return REMEDIES.find(([words]) => words.test(message))?.[1] ?? null
}
