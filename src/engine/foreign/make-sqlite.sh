#!/bin/sh
# Creates the databases, and each table as sqlite3 exports it to JSON. Usage: sh make-sqlite.sh FOLDER
# Virtual generated columns are missing, since they aren't stored, so we don't read them; the receipt says so.
set -e
cd "$1"; mkdir -p sqlite; cd sqlite; rm -f ./*.sqlite expected.json
db() { sqlite3 "$1.sqlite"; }
rows="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
echo "PRAGMA journal_mode=WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1,'a'),(2,'b'),(3,NULL);" | db wal > /dev/null
echo "CREATE TABLE t(code TEXT PRIMARY KEY, n INT) WITHOUT ROWID; INSERT INTO t VALUES ('b',2),('a',1),('c',3);" | db without-rowid
echo "CREATE TABLE t(a INT, b TEXT, c REAL, PRIMARY KEY(b, a)) WITHOUT ROWID; INSERT INTO t VALUES (2,'x',1.5),(1,'x',2.5),(3,'a',NULL);" | db without-rowid-two
echo "PRAGMA page_size=512; CREATE TABLE t(id INTEGER, note TEXT); $rows INSERT INTO t SELECT i, printf('note %d %.*c', i, i * 20, 'x') FROM n WHERE i < 24;" | db page-512
echo "PRAGMA page_size=8192; CREATE TABLE t(id INTEGER, v REAL); $rows INSERT INTO t SELECT i, i / 8.0 FROM n;" | db page-8192
echo "PRAGMA encoding='UTF-16le'; CREATE TABLE t(name TEXT, city TEXT); INSERT INTO t VALUES ('Łódź','München'),('日本','Zürich');" | db utf-16le
echo "PRAGMA auto_vacuum=FULL; CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); $rows INSERT INTO t SELECT i, 'v' || i FROM n; DELETE FROM t WHERE id % 3 = 0;" | db auto-vacuum
echo "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); $rows INSERT INTO t SELECT i, printf('%.*c', 900, 'y') FROM n WHERE i < 9; DELETE FROM t WHERE id > 2;" | db freed
echo "CREATE TABLE t(id INT, v INT); INSERT INTO t VALUES (1, 9223372036854775807),(2,-9223372036854775808),(3,0),(4,9007199254740993);" | db large-integers
echo "CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, twice INT AS (a * 2) STORED, thrice INT AS (a * 3) VIRTUAL); INSERT INTO t(a) VALUES (1),(2),(5);" | db generated
echo "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1,'x'); ALTER TABLE t ADD COLUMN b INT DEFAULT 7; ALTER TABLE t ADD COLUMN c TEXT; INSERT INTO t VALUES (2,'y',8,'z');" | db added-columns
echo "CREATE TABLE t(a INT, b INT, c INT); INSERT INTO t VALUES (1,2,3),(4,5,6); ALTER TABLE t DROP COLUMN b; ALTER TABLE t RENAME COLUMN c TO \"third one\";" | db dropped-column
echo "CREATE TABLE t(id INTEGER PRIMARY KEY, n INT, x REAL, s TEXT) STRICT; INSERT INTO t VALUES (1,10,2,'a'),(2,20,2.5,'b');" | db strict
echo "CREATE TABLE t(v REAL); INSERT INTO t VALUES (1),(2.5),(-3),(1e300),(0.1);" | db whole-reals
echo "CREATE TABLE one(a INT); CREATE TABLE two(b TEXT); CREATE INDEX i ON one(a); CREATE VIEW v AS SELECT a FROM one; INSERT INTO one VALUES (1),(2); INSERT INTO two VALUES ('x'),('y'),('z');" | db two-tables
echo "CREATE TABLE \"Order's \"\"list\"\"\"(\"unit price\" REAL, \"größe\" TEXT); INSERT INTO \"Order's \"\"list\"\"\" VALUES (1.25,'ä'),(2.5,'ö');" | db odd-names
echo "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT); INSERT INTO t(v) VALUES ('a'),('b'); DELETE FROM t WHERE id = 1; INSERT INTO t(v) VALUES ('c');" | db autoincrement
echo "CREATE TABLE t(id INTEGER, v TEXT); $rows INSERT INTO t SELECT i, printf('%.*c', i * 1900, char(64 + i)) FROM n WHERE i < 3;" | db overflow
{
  echo '{'; first=1
  for file in *.sqlite; do
    [ $first = 1 ] || echo ','; first=0
    printf '  "%s": {' "$file"; more=''
    sqlite3 -noheader "$file" "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'" | while IFS= read -r table; do
      quoted=$(printf '%s' "$table" | sed 's/"/""/g')
      columns=$(sqlite3 -noheader "$file" "SELECT group_concat('CAST(\"' || replace(name, '\"', '\"\"') || '\" AS TEXT) AS \"' || replace(name, '\"', '\"\"') || '\"') FROM pragma_table_xinfo('$(printf '%s' "$table" | sed "s/'/''/g")') WHERE hidden <> 2")
      printf '%s%s: ' "$more" "$(printf '%s' "$table" | python3 -c 'import json,sys; print(json.dumps(sys.stdin.read()))')"; more=', '
      sqlite3 -json "$file" "SELECT $columns FROM \"$quoted\"" | tr -d '\n'
    done
    printf '}'
  done
  printf '\n}\n'
} > expected.json
