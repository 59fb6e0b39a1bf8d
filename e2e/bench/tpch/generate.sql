-- The tables of TPC-H at a scale factor, made from row numbers alone: every run makes the same ones.
-- Macro `scale()` gives the factor. Clauses are those of the specification, revision 3.0.1.

-- The outer hash mixes: those of one row under two salts differ in the same bits everywhere.
CREATE MACRO random_of(id, salt) AS hash(hash(id, salt));
CREATE MACRO pick(id, salt, low, high) AS low + (random_of(id, salt) % (high - low + 1)::UBIGINT)::BIGINT;
CREATE MACRO one_of(id, salt, words) AS words[pick(id, salt, 1, len(words))];
CREATE MACRO cents(amount) AS (amount::DECIMAL(18, 2) / 100)::DECIMAL(15, 2);
CREATE MACRO phone(id, nation) AS
  format('{}-{}-{}-{}', 10 + nation, pick(id, 'a', 100, 999), pick(id, 'b', 100, 999), pick(id, 'c', 1000, 9999));
-- 4.2.2.7: of the 64 characters that random strings are of, those of base 64.
CREATE MACRO address(id) AS to_base64(encode(md5(id || 'x') || md5(id || 'y')))[1:pick(id, 'address', 10, 40)];
-- 4.2.3: the i-th of a part's four suppliers.
CREATE MACRO supplier_of(part, i, suppliers) AS
  (part + i * (suppliers // 4 + (part - 1) // suppliers)) % suppliers + 1;
-- 4.2.3: a part's price, in cents.
CREATE MACRO price(part) AS 90000 + (part // 10) % 20001 + 100 * (part % 1000);

-- 4.2.2.14: text. Sentences of its words, cut where they must be; see README.md.
CREATE TABLE pool AS
WITH words AS (
  SELECT
    ['foxes', 'ideas', 'theodolites', 'pinto beans', 'instructions', 'dependencies', 'excuses', 'platelets',
     'asymptotes', 'courts', 'dolphins', 'multipliers', 'sauternes', 'warthogs', 'frets', 'dinos', 'attainments',
     'somas', 'patterns', 'forges', 'braids', 'frays', 'warhorses', 'dugouts', 'notornis', 'epitaphs', 'pearls',
     'tithes', 'waters', 'orbits', 'gifts', 'sheaves', 'depths', 'sentiments', 'decoys', 'realms', 'pains',
     'accounts', 'packages', 'packages', 'requests', 'requests', 'requests', 'requests', 'requests', 'accounts', 'deposits', 'deposits'] AS nouns,
    ['sleep', 'wake', 'are', 'cajole', 'haggle', 'nag', 'use', 'boost', 'affix', 'detect', 'integrate', 'maintain',
     'nod', 'was', 'lose', 'sublate', 'solve', 'thrash', 'promise', 'engage', 'hinder', 'print', 'x-ray', 'breach',
     'eat', 'grow', 'impress', 'mold', 'poach', 'serve', 'run', 'dazzle', 'snooze', 'doze', 'unwind', 'kindle',
     'play', 'hang', 'believe', 'doubt'] AS verbs,
    ['furious', 'sly', 'careful', 'blithe', 'quick', 'fluffy', 'slow', 'quiet', 'ruthless', 'thin', 'close', 'dogged',
     'daring', 'brave', 'stealthy', 'permanent', 'enticing', 'idle', 'busy', 'regular', 'final', 'ironic', 'even',
     'bold', 'silent', 'special', 'pending', 'express', 'unusual', 'special', 'special'] AS adjectives,
    ['sometimes', 'always', 'never', 'furiously', 'slyly', 'carefully', 'blithely', 'quickly', 'fluffily', 'slowly',
     'quietly', 'ruthlessly', 'thinly', 'closely', 'doggedly', 'daringly', 'bravely', 'stealthily', 'permanently',
     'enticingly', 'idly', 'busily', 'regularly', 'finally', 'ironically', 'evenly', 'boldly', 'silently'] AS adverbs,
    ['about', 'above', 'according to', 'across', 'after', 'against', 'along', 'among', 'around', 'at', 'atop', 'before',
     'behind', 'beneath', 'beside', 'between', 'beyond', 'by', 'despite', 'during', 'except', 'for', 'from',
     'in place of', 'inside', 'instead of', 'into', 'near', 'of', 'on', 'outside', 'over', 'past', 'since', 'through',
     'throughout', 'to', 'toward', 'under', 'until', 'up', 'upon', 'without', 'with', 'within'] AS prepositions,
    ['.', '.', '.', ';', ':', '?', '!', '--'] AS terminators
),
sentences AS (
  SELECT
    i // 10 AS id,
    i AS n,
    CASE pick(i, 'form', 0, 3)
      WHEN 0 THEN format('{} {} {} the {} {}', one_of(i, 1, nouns), one_of(i, 2, verbs), one_of(i, 3, prepositions), one_of(i, 4, adjectives), one_of(i, 5, nouns))
      WHEN 1 THEN format('{} {} {} {}', one_of(i, 4, adjectives), one_of(i, 1, nouns), one_of(i, 2, verbs), one_of(i, 6, adverbs))
      WHEN 2 THEN format('{} {} {}', one_of(i, 6, adverbs), one_of(i, 4, adjectives), one_of(i, 1, nouns))
      ELSE format('{} {} {} {} {}', one_of(i, 1, nouns), one_of(i, 2, verbs), one_of(i, 6, adverbs), one_of(i, 3, prepositions), one_of(i, 5, nouns))
    END || one_of(i, 7, terminators) AS sentence
  FROM range(400000) t(i), words
)
SELECT id, string_agg(sentence, ' ' ORDER BY n) AS line FROM sentences GROUP BY id;

-- A text of so many characters. `line` is of the row's line of the pool: `pool.id = line_of(id, salt)`.
CREATE MACRO line_of(id, salt) AS pick(id, salt, 0, 39999);
CREATE MACRO text_of(line, id, low, high) AS line[pick(id, 'from', 1, 80):][1:pick(id, 'length', low, high)];

CREATE TABLE region AS
SELECT r_regionkey::INTEGER AS r_regionkey, r_name, text_of(line, r_regionkey, 31, 115) AS r_comment
FROM (VALUES (0, 'AFRICA'), (1, 'AMERICA'), (2, 'ASIA'), (3, 'EUROPE'), (4, 'MIDDLE EAST')) t(r_regionkey, r_name)
JOIN pool ON pool.id = line_of(r_regionkey, 'region')
ORDER BY r_regionkey;

CREATE TABLE nation AS
SELECT n_nationkey::INTEGER AS n_nationkey, n_name, n_regionkey::INTEGER AS n_regionkey,
  text_of(line, n_nationkey, 31, 114) AS n_comment
FROM (VALUES
  (0, 'ALGERIA', 0), (1, 'ARGENTINA', 1), (2, 'BRAZIL', 1), (3, 'CANADA', 1), (4, 'EGYPT', 4), (5, 'ETHIOPIA', 0),
  (6, 'FRANCE', 3), (7, 'GERMANY', 3), (8, 'INDIA', 2), (9, 'INDONESIA', 2), (10, 'IRAN', 4), (11, 'IRAQ', 4),
  (12, 'JAPAN', 2), (13, 'JORDAN', 4), (14, 'KENYA', 0), (15, 'MOROCCO', 0), (16, 'MOZAMBIQUE', 0), (17, 'PERU', 1),
  (18, 'CHINA', 2), (19, 'ROMANIA', 3), (20, 'SAUDI ARABIA', 4), (21, 'VIETNAM', 2), (22, 'RUSSIA', 3),
  (23, 'UNITED KINGDOM', 3), (24, 'UNITED STATES', 1)) t(n_nationkey, n_name, n_regionkey)
JOIN pool ON pool.id = line_of(n_nationkey, 'nation')
ORDER BY n_nationkey;

CREATE TABLE supplier AS
SELECT
  i AS s_suppkey,
  format('Supplier#{:09d}', i) AS s_name,
  address(i) AS s_address,
  pick(i, 's_nationkey', 0, 24)::INTEGER AS s_nationkey,
  phone(i, pick(i, 's_nationkey', 0, 24)) AS s_phone,
  cents(pick(i, 's_acctbal', -99999, 999999)) AS s_acctbal,
  CASE i % 200
    WHEN 77 THEN line[1:20] || 'Customer ' || line[40:50] || 'Complaints'
    WHEN 143 THEN line[1:20] || 'Customer ' || line[40:50] || 'Recommends'
    ELSE text_of(line, i, 25, 100)
  END AS s_comment
FROM range(1, (10000 * scale())::BIGINT + 1) t(i) JOIN pool ON pool.id = line_of(i, 's_comment')
ORDER BY i;

CREATE TABLE customer AS
SELECT
  i AS c_custkey,
  format('Customer#{:09d}', i) AS c_name,
  address(i * 3) AS c_address,
  pick(i, 'c_nationkey', 0, 24)::INTEGER AS c_nationkey,
  phone(i * 3, pick(i, 'c_nationkey', 0, 24)) AS c_phone,
  cents(pick(i, 'c_acctbal', -99999, 999999)) AS c_acctbal,
  one_of(i, 'c_mktsegment', ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD']) AS c_mktsegment,
  text_of(line, i, 29, 116) AS c_comment
FROM range(1, (150000 * scale())::BIGINT + 1) t(i) JOIN pool ON pool.id = line_of(i, 'c_comment')
ORDER BY i;

CREATE TABLE part AS
WITH colours AS (SELECT [
  'almond', 'antique', 'aquamarine', 'azure', 'beige', 'bisque', 'black', 'blanched', 'blue', 'blush', 'brown',
  'burlywood', 'burnished', 'chartreuse', 'chiffon', 'chocolate', 'coral', 'cornflower', 'cornsilk', 'cream', 'cyan',
  'dark', 'deep', 'dim', 'dodger', 'drab', 'firebrick', 'floral', 'forest', 'frosted', 'gainsboro', 'ghost',
  'goldenrod', 'green', 'grey', 'honeydew', 'hot', 'indian', 'ivory', 'khaki', 'lace', 'lavender', 'lawn', 'lemon',
  'light', 'lime', 'linen', 'magenta', 'maroon', 'medium', 'metallic', 'midnight', 'mint', 'misty', 'moccasin',
  'navajo', 'navy', 'olive', 'orange', 'orchid', 'pale', 'papaya', 'peach', 'peru', 'pink', 'plum', 'powder', 'puff',
  'purple', 'red', 'rose', 'rosy', 'royal', 'saddle', 'salmon', 'sandy', 'seashell', 'sienna', 'sky', 'slate', 'smoke',
  'snow', 'spring', 'steel', 'tan', 'thistle', 'tomato', 'turquoise', 'violet', 'wheat', 'white', 'yellow'] AS colour)
SELECT
  i AS p_partkey,
  -- Five that differ: steps of up to 22 through 92 don't meet again within four.
  list_aggregate(
    [colour[1 + (pick(i, 'colour', 0, 91) + k * pick(i, 'step', 1, 22)) % 92] FOR k IN [0, 1, 2, 3, 4]], 'string_agg', ' '
  ) AS p_name,
  'Manufacturer#' || pick(i, 'mfgr', 1, 5) AS p_mfgr,
  'Brand#' || pick(i, 'mfgr', 1, 5) || pick(i, 'brand', 1, 5) AS p_brand,
  format('{} {} {}',
    one_of(i, 'type 1', ['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO']),
    one_of(i, 'type 2', ['ANODIZED', 'BURNISHED', 'PLATED', 'POLISHED', 'BRUSHED']),
    one_of(i, 'type 3', ['TIN', 'NICKEL', 'BRASS', 'STEEL', 'COPPER'])) AS p_type,
  pick(i, 'p_size', 1, 50)::INTEGER AS p_size,
  format('{} {}',
    one_of(i, 'container 1', ['SM', 'LG', 'MED', 'JUMBO', 'WRAP']),
    one_of(i, 'container 2', ['CASE', 'BOX', 'BAG', 'JAR', 'PKG', 'PACK', 'CAN', 'DRUM'])) AS p_container,
  cents(price(i)) AS p_retailprice,
  text_of(line, i, 5, 22) AS p_comment
FROM range(1, (200000 * scale())::BIGINT + 1) t(i), colours JOIN pool ON pool.id = line_of(i, 'p_comment')
ORDER BY i;

CREATE TABLE partsupp AS
SELECT
  p AS ps_partkey,
  supplier_of(p, k, (10000 * scale())::BIGINT) AS ps_suppkey,
  pick(p * 4 + k, 'ps_availqty', 1, 9999) AS ps_availqty,
  cents(pick(p * 4 + k, 'ps_supplycost', 100, 100000)) AS ps_supplycost,
  text_of(line, p * 4 + k, 49, 198) AS ps_comment
-- A cross join of both ranges would be joined with the pool one by one: 160,000 rows for each part.
FROM (SELECT p, unnest(range(4)) AS k FROM range(1, (200000 * scale())::BIGINT + 1) parts(p))
JOIN pool ON pool.id = line_of(p * 4 + k, 'ps_comment')
ORDER BY p, k;

-- 4.2.3: of each 32 keys the first 8 are used, and a third of the customers has no order.
CREATE TABLE o AS
SELECT
  i,
  i // 8 * 32 + i % 8 + 1 AS o_orderkey,
  pick(i, 'customer', 0, (100000 * scale())::BIGINT - 1) AS n,
  n // 2 * 3 + n % 2 + 1 AS o_custkey,
  DATE '1992-01-01' + pick(i, 'o_orderdate', 0, DATE '1998-12-31' - 151 - DATE '1992-01-01')::INTEGER AS o_orderdate
FROM range((1500000 * scale())::BIGINT) t(i);

CREATE TABLE lineitem AS
WITH l AS (
  SELECT
    *,
    o_orderkey * 8 + k AS id,
    pick(o_orderkey * 8 + k, 'l_partkey', 1, (200000 * scale())::BIGINT) AS l_partkey,
    pick(o_orderkey * 8 + k, 'l_quantity', 1, 50) AS quantity,
    o_orderdate + pick(o_orderkey * 8 + k, 'l_shipdate', 1, 121)::INTEGER AS l_shipdate
  FROM o, LATERAL (SELECT unnest(range(1, pick(i, 'lines', 1, 7) + 1)) AS k)
),
m AS (SELECT *, l_shipdate + pick(id, 'l_receiptdate', 1, 30)::INTEGER AS l_receiptdate FROM l)
SELECT
  o_orderkey AS l_orderkey,
  l_partkey,
  supplier_of(l_partkey, pick(m.id, 'l_suppkey', 0, 3), (10000 * scale())::BIGINT) AS l_suppkey,
  k AS l_linenumber,
  quantity::DECIMAL(15, 2) AS l_quantity,
  cents(quantity * price(l_partkey)) AS l_extendedprice,
  cents(pick(m.id, 'l_discount', 0, 10)) AS l_discount,
  cents(pick(m.id, 'l_tax', 0, 8)) AS l_tax,
  CASE WHEN l_receiptdate > DATE '1995-06-17' THEN 'N' ELSE one_of(m.id, 'l_returnflag', ['R', 'A']) END AS l_returnflag,
  CASE WHEN l_shipdate > DATE '1995-06-17' THEN 'O' ELSE 'F' END AS l_linestatus,
  l_shipdate,
  o_orderdate + pick(m.id, 'l_commitdate', 30, 90)::INTEGER AS l_commitdate,
  l_receiptdate,
  one_of(m.id, 'l_shipinstruct', ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN']) AS l_shipinstruct,
  one_of(m.id, 'l_shipmode', ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB']) AS l_shipmode,
  text_of(line, m.id, 10, 43) AS l_comment
FROM m JOIN pool ON pool.id = line_of(m.id, 'l_comment')
ORDER BY l_orderkey, l_linenumber;

CREATE TABLE orders AS
WITH lines AS (
  SELECT
    l_orderkey,
    CASE WHEN bool_and(l_linestatus = 'F') THEN 'F' WHEN bool_and(l_linestatus = 'O') THEN 'O' ELSE 'P' END AS o_orderstatus,
    sum((l_extendedprice * (1 + l_tax) * (1 - l_discount))::DECIMAL(18, 2))::DECIMAL(15, 2) AS o_totalprice
  FROM lineitem GROUP BY l_orderkey
)
SELECT
  o_orderkey,
  o_custkey,
  o_orderstatus,
  o_totalprice,
  o_orderdate,
  one_of(i, 'o_orderpriority', ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW']) AS o_orderpriority,
  format('Clerk#{:09d}', pick(i, 'o_clerk', 1, greatest(1, (1000 * scale())::BIGINT))) AS o_clerk,
  0 AS o_shippriority,
  text_of(line, i, 19, 78) AS o_comment
FROM o JOIN lines ON l_orderkey = o_orderkey JOIN pool ON pool.id = line_of(i, 'o_comment')
ORDER BY o_orderkey;

DROP TABLE o;
DROP TABLE pool;
