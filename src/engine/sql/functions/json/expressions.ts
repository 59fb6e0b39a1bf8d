/* Expressions over JSON that native DuckDB with its JSON extension is asked for, too. Tests only. */

const DOCUMENT = `'{"a": 1.50, "b": [1, 2e5, {"c": "x"}], "c.d": {"e": "\\u00e9\\/\\n\\u001f"}, "n": null, "t": true, "": 0, "a": 2}'`
const NUMBERS = `'[0, -0, -0.0, 1.0, 1e21, 1e-7, 0.000001, 123456.789e3, 5e-324, 1e400, 12345678901234567.0, 100000000000000000000.0, 18446744073709551615, 18446744073709551616, -9223372036854775808, -9223372036854775809]'`

/** By what they are about. */
export const JSON_EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  'paths to one value': [
    ...[
      'a',
      'b',
      'c.d',
      'q',
      '$',
      '$.a',
      '$.b[2].c',
      '$.b[-1]',
      '$.b[#-1].c',
      '$.b[#]',
      '$.b[9]',
      '$."c.d".e',
      '/b/2/c',
    ]
      .concat(['/b/-', '/c.d/e', '/', '$.a.x', '', '"a"', '$.b[2]."c"', '$.t', '$.n', '$.c.d'])
      .flatMap((path) => [`${DOCUMENT} -> '${path}'`, `${DOCUMENT} ->> '${path}'`]),
    ...[0, 2, -1, -3, 9].flatMap((index) => [
      `json_extract('[1, [2], "x"]', ${index})`,
      `'[1, [2], "x"]' ->> ${index}`,
    ]),
    `json_extract('[1,2,3]', 1::INTEGER)`,
    `json_extract_path('{"a":{"b":[5]}}', '$.a.b')`,
    `json_extract_path_text('{"a":{"b":"x"}}', '$.a.b')`,
    `json_extract_string('{"a":"q\\"x"}', 'a')`,
    `json_extract_string('[5,6]', 1::BIGINT)`,
    `('{"a":{"b":[5]}}' -> 'a' -> 'b' ->> 0)::INTEGER + 1`,
    ...['$.a', '$.b', '$.n', '$.t', '$.q'].map((path) => `json_value(${DOCUMENT}, '${path}')`),
    ...['a', 'n', 'q'].map((path) => `json_exists(${DOCUMENT}, '${path}')`),
  ],
  'forms of values': [
    `json(${NUMBERS})`,
    `json(${DOCUMENT})`,
    `json(' {"a" : [ 1 , 2.50 ] , "x":[ ], "y" :{} } ')`,
    `json_pretty('{"a":[1,{"b":2}],"c":[],"d":{},"e":"\\u00e9"}')`,
    `json_pretty('5')`,
  ],
  'what a document is': [
    ...['{"a":1}', '[]', '1', '-1', '1.5', '"x"', 'true', 'null', '18446744073709551615', '18446744073709551616']
      .concat(['-0', '1e400', '-9223372036854775808', '-9223372036854775809', '0', '-1.0'])
      .map((json) => `json_type('${json}')`),
    ...['a', 'b', '$.b[2]', 'n', 'q'].map((path) => `json_type(${DOCUMENT}, '${path}')`),
    ...['{"a":1}', '{"a":1', '', '[1] x', '01', ' [1] ', '"\\ud800"', '{"a":01}'].map(
      (json) => `json_valid('${json}')`,
    ),
    `json_valid(NULL::VARCHAR)`,
    `json_exists(NULL::VARCHAR, '$.a')`,
    ...['[1,2]', '1', '[]', '[[1,2],{"a":[3,4]},"],"]'].map((json) => `json_array_length('${json}')`),
    `json_array_length('{"a":[1]}', 'a')`,
    `json_array_length('{"a":[1]}', 'q')`,
    `json_keys(${DOCUMENT})::VARCHAR`,
    `json_keys('{"it''s":1, "x, y":2, "":3, "NULL":4, "\\\\":5}')`,
    `json_keys('[1]')`,
    `json_keys('{"a":{"q":1}}', 'a')`,
    `json_keys('{"a":1}', 'b')`,
    ...[
      '[1,2.5,null]',
      '[{"a":1},{"a":"x"},{"b":[1]}]',
      '[[1],[-2]]',
      '[true,1]',
      '[{"a":1},[1]]',
      '[18446744073709551615,-1]',
    ]
      .concat([
        '[{}, {"a":1}]',
        '[[],[1]]',
        '{"a":1,"a":"x"}',
        '{"g":[],"h":{},"i":null}',
        '[null,{"a":[null]}]',
        '"x"',
      ])
      .concat(['123456789012345678901234567890', '[1,"a"]', '[1.5,-1]', '[{"a":null},{"a":{"b":1}}]'])
      .map((json) => `json_structure('${json}')`),
    ...[
      ['[1,[2,3]]', '3'],
      ['[[1,2],[3]]', '[1]'],
      ['{"a":[1,2,3]}', '{"a":[1]}'],
      ['"abc"', '"b"'],
      ['[1,2]', '[]'],
      ['1', '[]'],
      ['[1.0]', '1'],
      ['[1.0]', '1.00'],
      ['{"a":{"b":1,"c":2}}', '{"c":2}'],
      ['[[1],[2]]', '[1,2]'],
      ['[1,2]', '[2,1]'],
      ['["\\u0061"]', '"a"'],
      ['[null]', 'null'],
    ].map(([hay, needle]) => `json_contains('${hay}', '${needle}')`),
  ],
  'values as JSON': [
    ...[
      `'x'`,
      `1`,
      `true`,
      `1.50`,
      `12.30::DECIMAL(5,2)`,
      `1.10::DECIMAL(18,2)`,
      `0.1::FLOAT`,
      `1e20::DOUBLE`,
      `-0.0::DOUBLE`,
    ]
      .concat([
        `'inf'::DOUBLE`,
        `DATE '2020-01-01'`,
        `TIMESTAMP '2020-01-01 10:00:00.5'`,
        `INTERVAL 1 DAY`,
        `'\\xAA'::BLOB`,
      ])
      .concat([
        `170141183460469231731687303715884105727::HUGEINT`,
        `'a b'::ENUM('a b')`,
        `[1, NULL]`,
        `[[1], NULL, []]`,
      ])
      .concat([
        `{'a': 'it''s, {x}', 'b': {'c': [1.5, NULL]}, 'd': NULL}`,
        `MAP{'a=b': 'c', 'x': NULL}`,
        `MAP{1: {'a': 'x'}}`,
      ])
      .concat([
        `['a\\b', 'NULL', '', ' ', 'a,b\\', chr(10), '"', 'a''b\\c', '[', '}']`,
        `[DATE '2020-01-01']`,
        `chr(10) || '"\\'`,
      ])
      .concat([
        `[{'a b': TIMESTAMP '2020-01-01 00:00:00', 'select': TIME '10:00:00'}]`,
        `NULL::INTEGER`,
        `[',x'::BLOB]`,
      ])
      .map((value) => `to_json(${value})`),
    `json_array(1, 'a', NULL, 1.50, [1,2], {'a': 1}, true)`,
    `json_array()`,
    `json_object('a', 1, 'b"', 'x', 'c', NULL, 'd', [1.5])`,
    `json_object()`,
    `json_quote('a"b')`,
    `row_to_json({'a': 1})`,
    `array_to_json([1, 2])`,
    ...[
      [`{"a":1,"b":{"c":1,"d":2}}`, `{"b":{"c":null,"e":3},"f":1}`],
      [`{"a":1}`, `[1]`],
      [`{}`, `{"a":null}`],
      [`[1]`, `{"a":null}`],
      [`{"a":1}`, `{"a":{"c":null,"d":1},"b":{"c":null}}`],
      [`{"b":1,"a":2}`, `{"a":3,"c":4}`],
    ].map(([target, patch]) => `json_merge_patch('${target}', '${patch}')`),
    `json_merge_patch('{"a":1}', '{"b":2}', '{"c":3}')`,
    `json_merge_patch('{"a":1}', NULL::VARCHAR)`,
    `json_merge_patch(NULL::VARCHAR, '{"a":1}')`,
  ],
  'what is JSON already, and lists': [
    `json_object('a', json_array(1, json_object('b', NULL)), 'c', '{"x" : 1.50}'::JSON, 'd', '{"x":1}')`,
    `json_array('{"a":[1]}' -> 'a', '{"a":[1]}' ->> 'a', ('{"a":"x"}' -> '$.a'), CAST('[1 ]' AS JSON), 'x'::VARCHAR)`,
    `to_json('{"a" : 1}'::JSON)`,
    `to_json('{"a":1}' -> 'q')`,
    `json_array('{"a":1}' -> 'q', to_json('x'), json('[1 ]'))`,
    `json_quote(json_extract('{"a":"it''s \\"q\\" \\\\ é"}', 'a'))`,
    `json_array(list_transform([1, 2], lambda x: x + 1), [1, 2][1], (SELECT 5))`,
    `array_to_string(json_extract('{"a": [{"b":1},{"b":"x, ''y''"}, {"c":[]}]}', '$.a[*].b'), ' ; ')`,
    `json_extract_string('{"a": [{"b":1},{"b":"x"}, {"b":null}]}', '$.a[*].b')`,
    `array_to_string(json_extract('{"a": [{"b":1},{"b":2}]}', ['$.a[0].b', '/a/1/b', 'a', 'it''s']), ' ; ')`,
    `json_extract_string('{"a":"x","b,c":"y"}', ['a', 'b,c', 'q'])`,
    `json_extract('{"x":{"c":7},"y":{"c":8}}', '$.*.c')`,
    `array_to_string(json_extract('{"x":{"c":7},"c":{"c":8}}', '$..c'), ' ; ')`,
    `json_extract('[[1,2],[3]]', '$[*][0]')`,
    `json_extract('{"a":1}', '$.q[*]')`,
  ],
  'values by a structure': [
    ...[
      [`{"a":1,"b":"x","c":[1,2]}`, `{"a":"BIGINT","b":"VARCHAR","c":["INTEGER"],"d":"DATE"}`],
      [`{"a":"1","b":5,"c":[1,"x",null]}`, `{"a":"BIGINT","b":"VARCHAR","c":["INTEGER"]}`],
      [`[1,2]`, `{"a":"BIGINT"}`],
      [`{"a":{"b":1}}`, `{"a":"VARCHAR"}`],
      [
        `{"a":true,"b":1.9,"c":"2024-01-02","d":2.5,"e":-2.5}`,
        `{"a":"INTEGER","b":"INTEGER","c":"DATE","d":"BIGINT","e":"INT"}`,
      ],
      [`{"a":1,"b":null}`, `"MAP(VARCHAR,INTEGER)"`],
      [`5`, `"INTEGER"`],
      [
        `{"a":1.5,"b":" 7 ","c":"0x1F","d":"1_000","e":"2.5"}`,
        `{"a":"BIGINT","b":"INTEGER","c":"INTEGER","d":"INTEGER","e":"INTEGER"}`,
      ],
      [
        `{"a":2,"b":0,"c":0.5,"d":"yes","e":"t","f":"1","g":[]}`,
        `{"a":"BOOLEAN","b":"BOOL","c":"BOOLEAN","d":"BOOLEAN","e":"BOOLEAN","f":"BOOLEAN","g":"BOOLEAN"}`,
      ],
      [
        `{"a":"1.5","b":12345,"c":1e3,"d":"1.005","e":{}}`,
        `{"a":"DECIMAL(4,2)","b":"DECIMAL(4,2)","c":"BIGINT","d":"DECIMAL(4,2)","e":"DOUBLE"}`,
      ],
      [
        `{"a":"2024-01-01 10:00:00","b":1700000000,"c":"x","d":"10:00","e":"1 day"}`,
        `{"a":"TIMESTAMP","b":"TIMESTAMP","c":"UUID","d":"TIME","e":"INTERVAL"}`,
      ],
      [
        `{"a":3.7,"b":300,"c":-1,"d":12345678901234567890}`,
        `{"a":"TINYINT","b":"TINYINT","c":"UTINYINT","d":"HUGEINT"}`,
      ],
      [`{"a":[{"x":1},{"y":2},3,null]}`, `{"a":[{"x":"INTEGER"}]}`],
      [`{"a":[[1,2],[],null,[3]]}`, `{"a":[["INTEGER"]]}`],
      [`{}`, `{"a":{"x":"INTEGER"}}`],
      [`{"a":null}`, `{"a":{"x":"INTEGER"}}`],
      [`{"a":5}`, `{"a":{"x":"INTEGER"}}`],
      [`null`, `{"a":"INTEGER"}`],
      [`{"a":{"b":1}}`, `["INTEGER"]`],
      [`{"a":"[1,2]"}`, `{"a":["INTEGER"]}`],
      [`{"a":[1]}`, `{"a":"INTEGER[]"}`],
      [`{"it''s":1,"x y":{"\\"q\\"":2}}`, `{"it''s":"INTEGER","x y":{"\\"q\\"":"INTEGER"}}`],
      [`{"a":1, "a":2}`, `{"a":"INTEGER"}`],
      [`{"a":1.50,"b":1e5}`, `{"a":"VARCHAR","b":"VARCHAR"}`],
    ].flatMap(([json, structure]) => [
      `json_transform('${json}', '${structure}')`,
      `typeof(from_json('${json}', '${structure}'))`,
    ]),
    `json_transform_strict('{"a":null,"b":[1],"c":{"d":"x"}}', '{"a":"INTEGER","b":["BIGINT"],"c":{"d":"VARCHAR"}}')`,
    `json_transform('{"a":{"b":[1]}}', '{"a":"JSON"}')`,
    `from_json_strict('{"a":true}', '{"a":"INTEGER"}')`,
    `json_transform(json_object('a', 1, 'b', '{"c":[2]}'::JSON), '{"a":"BIGINT","b":{"c":["INTEGER"]}}').b.c[1] + 1`,
  ],
}
