"""Writes what another program reads from each workbook to expected.json beside it.

Usage: python3 judge.py FOLDER, or python3 judge.py FOLDER xlsb for only that folder's files
Gnumeric reads LibreOffice's files, and LibreOffice all others. Both export to CSV."""
import csv, glob, json, os, re, subprocess, sys, tempfile

LIBREOFFICE = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,{shown},false,false,false,-1'
ORDER = ['Data', 'Zwei', 'Empty', 'Third & last', 'Sheet1', 'rich test', 'RkNumber', 'mySheet1', 'ProtectedChart', 'ProtectedSheet']


def rows_of(path):
    with open(path, encoding='utf-8-sig', newline='') as file:
        return [row for row in csv.reader(file) if any(row)]


def by_libreoffice(path, work):
    # For .xlsb, export the stored values, not the formatted ones.
    shown = 'false' if path.endswith('.xlsb') else 'true'
    subprocess.run(['soffice', '--headless', '--convert-to', LIBREOFFICE.format(shown=shown), '--outdir', work, path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stem = os.path.splitext(os.path.basename(path))[0]
    found = {os.path.basename(name)[len(stem) + 1:-4]: name for name in glob.glob(f'{work}/{stem}-*.csv')}
    return [[[stored(cell) for cell in row] for row in rows_of(found[name])] for name in ORDER if name in found]


def stored(cell):
    """LibreOffice always formats dates the American way, and percentages."""
    day = re.fullmatch(r'(\d\d)/(\d\d)/(\d{4})', cell)
    if day:
        return f'{day[3]}-{day[1]}-{day[2]}'
    percentage = re.fullmatch(r'(\d+)%', cell)
    return str(int(percentage[1]) / 100) if percentage else cell


def by_gnumeric(path, work):
    out = f'{work}/{os.path.basename(path)}.csv'
    subprocess.run(['ssconvert', '-S', '-T', 'Gnumeric_stf:stf_csv', path, out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [rows_of(name) for name in sorted(glob.glob(glob.escape(out) + '.*'))]


for folder in sys.argv[2:] or ['xls', 'xlsx', 'xlsm', 'ods', 'xlsb']:
    expected = {}
    for path in sorted(glob.glob(f'{sys.argv[1]}/{folder}/*.{folder}')):
        # LibreOffice drops a line break in a cell of Gnumeric's umlauts file.
        own = path.endswith(('-libreoffice.' + folder, 'umlauts-gnumeric.ods'))
        judge = by_gnumeric if own else by_libreoffice
        with tempfile.TemporaryDirectory() as work:
            expected[os.path.basename(path)] = judge(path, work)
    with open(f'{sys.argv[1]}/{folder}/expected.json', 'w', encoding='utf-8') as file:
        file.write('{\n' + ',\n'.join(f'  {json.dumps(name)}: {json.dumps(sheets, ensure_ascii=False)}' for name, sheets in expected.items()) + '\n}\n')
