"""Makes workbooks as offices lay them out, and expected.json with the tables that they mean: /usr/bin/python3 make-office.py FOLDER

A sheet is written from rows; what its tables are to be is said beside it, with the proposals that are to be applied."""
import datetime, json, os, subprocess, sys
import openpyxl, pandas, xlwt

to = f'{sys.argv[1]}/office'
os.makedirs(to, exist_ok=True)
expected = {}


def book(name, sheet, rows, merges, apply, tables):
    made = openpyxl.Workbook()
    page = made.active
    page.title = sheet
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if value is not None:
                page.cell(number, column, value)
    for merge in merges:
        page.merge_cells(merge)
    made.save(f'{to}/{name}-openpyxl.xlsx')
    expected[f'{name}-openpyxl.xlsx'] = {'apply': apply, 'tables': tables}
    for format in ['xls', 'ods']:
        subprocess.run(['soffice', '--headless', '--convert-to', format, '--outdir', to, f'{to}/{name}-openpyxl.xlsx'], check=True, stdout=subprocess.DEVNULL)
        os.rename(f'{to}/{name}-openpyxl.{format}', f'{to}/{name}-libreoffice.{format}')
        expected[f'{name}-libreoffice.{format}'] = {'apply': apply, 'tables': tables}


goods = ['Bolt', 'Nut', 'Screw']
data = [[region if i == 0 else None, good, 10 * r + i, (10 * r + i) * 2.5] for r, region in enumerate(['North', 'South'], 1) for i, good in enumerate(goods)]
whole = [[['North', 'South'][i // 3], row[1], str(row[2]), str(row[3])] for i, row in enumerate(data)]
total = ['Total', None, sum(row[2] for row in data), sum(row[3] for row in data)]
book('groups', 'Sales', [['Sales report 2024'], ['Prepared by: Controlling'], [], ['Region', 'Product', 'Q1'], [None, None, 'Units', 'Revenue'], *data, total, [], ['Source: ERP export']],
     ['A1:D1', 'A4:A5', 'B4:B5', 'C4:D4', 'A6:A8', 'A9:A11'], ['repeat-merged', 'total-row'],
     {'Sales': [['Region', 'Product', 'Q1 Units', 'Q1 Revenue'], *whole]})

people = [['Ann', 'Lee', 'Engineer', 'x12', 'A1', 'Bonn'], ['Bob', 'Ray', 'Clerk', 'x13', 'A2', 'Köln'], ['Cid', 'Fox', 'Boss', 'x14', 'B1', 'Ulm']]
header = [['Staff', None, None, 'Contact'], ['Name', None, 'Role', 'Office', None, 'Home'], ['First', 'Last', None, 'Phone', 'Room', 'City']]
names = ['Staff Name First', 'Staff Name Last', 'Staff Role', 'Contact Office Phone', 'Contact Office Room', 'Contact Home City']
book('three-rows', 'Staff', header + people, [], [], {'Staff': [names, *people]})
book('three-rows-merged', 'Staff', header + people, ['A1:C1', 'D1:F1', 'A2:B2', 'C2:C3', 'D2:E2'], [], {'Staff': [names, *people]})

orders = [[i, i * 9.5, f'note {i}'] for i in range(1, 5)]
book('texts-below', 'Both', [['Orders'], ['id', 'amount', 'note'], *orders, [], ['Contacts'], ['name', 'city'], *[[row[0], row[5]] for row in people]], [], ['several-tables'],
     {'Orders': [['id', 'amount', 'note'], *[[str(i), str(amount), note] for i, amount, note in orders]], 'Contacts': [['name', 'city'], *[[row[0], row[5]] for row in people]]})

keys = pandas.MultiIndex.from_product([['North', 'South'], goods], names=['Region', 'Product'])
frame = pandas.DataFrame({('Q1', 'Units'): range(1, 7), ('Q1', 'EUR'): [i * 1.5 for i in range(1, 7)], ('Q2', 'Units'): range(5, 11), ('Q2', 'EUR'): [i + 0.5 for i in range(1, 7)]}, index=keys)
rows = [[*key, str(int(units)), str(eur), str(int(more)), str(other)] for key, (units, eur, more, other) in zip(keys, frame.values.tolist())]
for file, engine in [('keys-pandas.xlsx', 'openpyxl'), ('keys-pandas.ods', 'odf')]:
    frame.to_excel(f'{to}/{file}', sheet_name='P', engine=engine)
    expected[file] = {'apply': ['repeat-merged'], 'tables': {'P': [['Region', 'Product', 'Q1 Units', 'Q1 EUR', 'Q2 Units', 'Q2 EUR'], *rows]}}

one = frame[['Q1']]
one.to_excel(f'{to}/one-group-pandas.xlsx', sheet_name='P')
expected['one-group-pandas.xlsx'] = {'apply': ['repeat-merged'], 'tables': {'P': [['Region', 'Product', 'Q1 Units', 'Q1 EUR'], *[row[:4] for row in rows]]}}

years = [['Germany', 'DEU', 3889.25, 3887.5, 4278.5], ['France', 'FRA', 2729.25, 2645.5, 2959], ['Italy', 'ITA', 2012, 1897.5, 2155.5]]
book('years', 'GDP', [['GDP by country'], [], ['Country', 'Code', 2019, 2020, 2021], *years, [], ['Source: national accounts']], [], [],
     {'GDP': [['Country', 'Code', '2019', '2020', '2021'], *[[str(cell) for cell in row] for row in years]]})

old = xlwt.Workbook()
page = old.add_sheet('Old')
day = xlwt.easyxf(num_format_str='DD.MM.YYYY')
page.write_merge(0, 1, 0, 0, 'Key')
page.write_merge(0, 0, 1, 2, 'Q1')
page.write(1, 1, 'Units')
page.write(1, 2, 'EUR')
page.write_merge(0, 1, 3, 3, 'When')
for row in range(2, 8):
    if row % 3 == 2:
        page.write_merge(row, row + 2, 0, 0, f'G{row}')
    page.write(row, 1, row)
    page.write(row, 2, row * 1.25)
    page.write(row, 3, datetime.date(2024, 1, row), day)
old.save(f'{to}/groups-xlwt.xls')
expected['groups-xlwt.xls'] = {'apply': ['repeat-merged'], 'tables': {'Old': [['Key', 'Q1 Units', 'Q1 EUR', 'When'], *[[f'G{2 if row < 5 else 5}', str(row), str(row * 1.25), f'2024-01-0{row}'] for row in range(2, 8)]]}}

with open(f'{to}/expected.json', 'w', encoding='utf-8') as file:
    file.write('{\n' + ',\n'.join(f'  {json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}' for name, each in sorted(expected.items())) + '\n}\n')
