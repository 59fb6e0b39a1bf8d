#!/bin/sh
# Creates text tables and packed files, and what the programs themselves read from them. Usage: sh make-text.sh FOLDER
set -e
cd "$1"; rm -rf text packed; mkdir text packed
work=$(mktemp -d)
table="CREATE TABLE t(item TEXT, qty INTEGER, price REAL, city TEXT);
INSERT INTO t VALUES ('Bolt M4',1200,0.05,'Köln'),('Anchor',35,12.5,'Łódź'),('Hinge, brass',7,103.25,'Paris'),('Nail',48000,0.01,'New York'),('Gate',2,980.0,'Zürich'),('Saw blade',16,31.75,'Oslo');"
shown() { printf '%s\n.headers on\n.mode %s\nSELECT * FROM t;\n' "$table" "$2" | sqlite3 > "text/$1"; }
shown sqlite-column.txt column
shown sqlite-box.txt box
shown sqlite-table.txt table
shown sqlite-markdown.txt markdown
shown sqlite-tabs.txt tabs
shown sqlite-ascii-csv.txt csv
shown "../$(basename "$work").csv" csv; mv "$(basename "$work").csv" "$work/t.csv"
pandoc -f csv -t plain "$work/t.csv" -o text/pandoc-plain.txt
pandoc -f csv -t markdown-simple_tables-multiline_tables-grid_tables+pipe_tables "$work/t.csv" -o text/pandoc-pipe.txt
pandoc -f csv -t rst "$work/t.csv" -o text/pandoc-rst.txt || true
tr ' ' '_' < "$work/t.csv" | tr -d '"' | sed 's/Hinge,_/Hinge_/' | column -t -s , > text/column.txt
perl -MEncode -CSD -F'\t' -lane 'printf "%-14s%8s%10s  %-10s\n", @F' text/sqlite-tabs.txt > text/perl-printf.txt
awk -F'\t' '{ printf "%-14s|%8s|%10s|%s\n", $1, $2, $3, $4 }' text/sqlite-tabs.txt > text/awk-bars.txt
printf '%s\nSELECT json_group_array(json_array(item, CAST(qty AS TEXT), CAST(price AS TEXT), city)) FROM t;\n' "$table" | sqlite3 > text/expected.json
cp "$work/t.csv" packed/plain.csv
for level in 1 9 19; do zstd -q -$level packed/plain.csv -o "packed/zstd-$level.csv.zst"; done
zstd -q --no-check packed/plain.csv -o packed/zstd-no-check.csv.zst
zstd -q --no-content-size packed/plain.csv -o packed/zstd-no-size.csv.zst 2>/dev/null || zstd -q -c < packed/plain.csv > packed/zstd-no-size.csv.zst
{ head -3 packed/plain.csv | zstd -q -c; tail -n +4 packed/plain.csv | zstd -q -c; } > packed/zstd-two-frames.csv.zst
zstd -q --long=27 packed/plain.csv -o packed/zstd-long.csv.zst
for level in 1 5 9; do bzip2 -c -$level packed/plain.csv > "packed/bzip2-$level.csv.bz2"; done
{ head -3 packed/plain.csv | bzip2 -c; tail -n +4 packed/plain.csv | bzip2 -c; } > packed/bzip2-two-streams.csv.bz2
python3 -c "import bz2,sys; sys.stdout.buffer.write(bz2.compress(open('packed/plain.csv','rb').read(), 3))" > packed/python-3.csv.bz2
python3 -c "import gzip,sys; sys.stdout.buffer.write(gzip.compress(open('packed/plain.csv','rb').read(), mtime=0))" > packed/python.csv.gz
gzip -c -1 packed/plain.csv > packed/gzip-1.csv.gz
perl -MIO::Compress::Gzip=gzip -e 'gzip "packed/plain.csv" => "packed/perl.csv.gz" or die'
perl -MIO::Compress::Bzip2=bzip2 -e 'bzip2 "packed/plain.csv" => "packed/perl.csv.bz2" or die'
mkdir "$work/sub"; cp packed/plain.csv "$work/a.csv"; cp packed/plain.csv "$work/sub/ö.csv"; here=$PWD
(cd "$work" && zip -q -X "$here/packed/zip-deflated.zip" a.csv sub/*.csv && zip -q -X -0 "$here/packed/zip-stored.zip" a.csv sub/*.csv && zip -q -X - a.csv < /dev/null > "$here/packed/zip-streamed.zip" && 7z a -bd -tzip "$here/packed/7z-deflated.zip" a.csv sub/ > /dev/null)
(cd "$work" && python3 -c "import zipfile,sys
with zipfile.ZipFile('$here/packed/python.zip','w',zipfile.ZIP_DEFLATED) as z:
    z.write('a.csv'); z.write('sub/ö.csv')")
rm -r "$work"
