#!/bin/sh
# Creates the workbooks. See README.md for the programs and their versions. Usage: sh make.sh FOLDER
set -e
here=$(cd "$(dirname "$0")" && pwd); to=$1
perl "$here/make.pl" "$to"
mkdir -p "$to/ods" "$to/xlsm"
book() { soffice --headless --convert-to "$1" --outdir "$3" "$2" >/dev/null 2>&1; }
work=$(mktemp -d)
for name in dates dates-1904 errors merged sheets formulas umlauts numbers texts hidden; do
  book ods "$to/xlsx/$name-perl.xlsx" "$work"; mv "$work/$name-perl.ods" "$to/ods/$name-libreoffice.ods"
  ssconvert -T Gnumeric_OpenCalc:openoffice "$to/xlsx/$name-perl.xlsx" "$to/ods/$name-gnumeric.ods" 2>/dev/null
  book 'xlsm:Calc MS Excel 2007 VBA XML' "$to/xlsx/$name-perl.xlsx" "$work"; mv "$work/$name-perl.xlsm" "$to/xlsm/$name-libreoffice.xlsm"
done
for name in dates-1904 merged umlauts hidden; do
  book xls "$to/ods/$name-gnumeric.ods" "$work"; mv "$work/$name-gnumeric.xls" "$to/xls/$name-libreoffice.xls"
  ssconvert -T Gnumeric_Excel:excel_biff7 "$to/ods/$name-libreoffice.ods" "$to/xls/$name-gnumeric-95.xls" 2>/dev/null
  book xlsx "$to/ods/$name-gnumeric.ods" "$work"; mv "$work/$name-gnumeric.xlsx" "$to/xlsx/$name-libreoffice.xlsx"
  ssconvert -T Gnumeric_Excel:xlsx2 "$to/ods/$name-libreoffice.ods" "$to/xlsx/$name-gnumeric.xlsx" 2>/dev/null
done
rm -r "$work"
