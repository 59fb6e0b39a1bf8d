import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { inspect, readAll, texts } from './testing.ts'

/** What is read with nothing set by hand: names, rows as text, and codes of what is told. */
async function whole(text: string, given: Partial<CsvSettings> = {}) {
  const inspection = await inspect(text, given)
  const { rows, rejected } = await readAll(text, inspection, texts(inspection))
  return {
    names: inspection.tables[0].columns.map(({ name }) => name),
    rows,
    rejected: rejected.map(({ raw }) => raw),
    told: inspection.notes.map(({ code }) => code),
    settings: inspection.settings as CsvSettings,
    columns: inspection.tables[0].columns,
    notes: inspection.notes,
  }
}

describe('the width that most rows have', () => {
  const two = [
    ['1', '2', '3'],
    ['4', '5', '6'],
  ]

  it.each([
    ['delimiters at the end of data lines', 'a;b;c\n1;2;3;\n4;5;6;\n'],
    ['delimiters at the end of all lines', 'a,b,c,\n1,2,3,\n4,5,6,\n'],
    ['columns that a spreadsheet left empty', 'a,b,c,,,\n1,2,3,,,\n4,5,6,,,\n'],
    ['a header with an empty field too many', 'a,,b,c\n1,2,3\n4,5,6\n'],
    ['a header that other delimiters split', 'a b c\n1,2,3\n4,5,6\n'],
    ['titles with delimiters', 'Sales, all regions\nby day, sum\na,b,c\n1,2,3\n4,5,6\n'],
  ])('holds beside %s', async (_, text) => {
    expect(await whole(text)).toMatchObject({ names: ['a', 'b', 'c'], rows: two, rejected: [] })
  })

  it('names the column that R leaves without a name', async () => {
    // write.table(head(mtcars[1:3], 2)); write.csv2 with numbers as names
    const table = await whole('"mpg" "cyl" "disp"\n"Mazda RX4" 21 6 160\n"Datsun 710" 22.8 4 108\n')
    expect(table).toMatchObject({
      names: ['row_name', 'mpg', 'cyl', 'disp'],
      rows: [
        ['Mazda RX4', '21', '6', '160'],
        ['Datsun 710', '22.8', '4', '108'],
      ],
      columns: [{ source: '', flags: ['renamed'] }, {}, {}, {}],
      told: ['row-names'],
    })
    const csv = await whole('id,name\n1,7,x\n2,8,y\n3,9,z\n')
    expect(csv).toMatchObject({ names: ['row_name', 'id', 'name'], rejected: [] })
    // Values that come twice are no names of rows: the last column's name is missing.
    expect(await whole('id,name\n1,7,x\n1,8,y\n3,9,z\n')).toMatchObject({ names: ['id', 'name', 'column_3'] })
  })

  it('is the one of all rows, not of the first ones', async () => {
    const head = '1,2\n'.repeat(70_000)
    const wide = await whole(`a,b\n${head}${'1,2,3\n'.repeat(80_000)}`)
    expect(wide).toMatchObject({ names: ['a', 'b', 'column_3'], rejected: [], told: ['short-rows'] })
    expect(wide.rows.at(-1)).toEqual(['1', '2', '3'])
    const late = await whole(`a,b,\n${'1,2,\n'.repeat(70_000)}1,2,x\n`)
    expect(late).toMatchObject({ names: ['a', 'b', 'column_3'], rejected: [] })
    expect(late.rows.at(-1)).toEqual(['1', '2', 'x'])
  })

  it('keeps columns that have a name, though no row reaches them', async () => {
    const { names, rows, told } = await whole('a,b,c,d\n1,2,3\n4,5,6\n')
    expect([names, rows, told]).toEqual([
      ['a', 'b', 'c', 'd'],
      [
        ['1', '2', '3', null],
        ['4', '5', '6', null],
      ],
      ['short-rows'],
    ])
  })
})

describe('rows of another width', () => {
  const text = 'a,b,c\n1,2\n4,5,6\n7,8,9,,\n1,2,3\n1,2,3,x\nnote: all\n'

  it('are filled up or cut where nothing is lost, and told; longer ones and remarks are rejected', async () => {
    const { rows, rejected, notes } = await whole(text)
    expect(rows).toEqual([
      ['1', '2', null],
      ['4', '5', '6'],
      ['7', '8', '9'],
      ['1', '2', '3'],
    ])
    expect(rejected).toEqual(['1,2,3,x', 'note: all'])
    expect(notes).toMatchObject([
      {
        code: 'short-rows',
        count: 1,
        message: '1 row has fewer fields than the 3 columns, and is filled up with nulls: line 2, “1,2”.',
      },
      { code: 'trailing-delimiters', count: 1 },
    ])
  })

  it('are read as the person wants', async () => {
    expect((await whole(text, { shortRows: 'reject' })).rejected).toEqual(['1,2', '1,2,3,x', 'note: all'])
    expect((await whole(text, { shortRows: 'pad' })).rows.at(-1)).toEqual(['note: all', null, null])
    const kept = await whole(text, { longRows: 'keep' })
    expect(kept).toMatchObject({ names: ['a', 'b', 'c', 'column_4'], rejected: ['note: all'] })
    expect(kept.rows.at(-1)).toEqual(['1', '2', '3', 'x'])
  })

  it('are another way to split it, where most would be rejected', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i};a|b,c`)
    const head = Array.from({ length: 40_000 }, (_, i) => `${i};a,b;c`)
    const found = await whole(`id;x\n${[...head, ...rows].join('\n')}\n`)
    expect(found.rejected).toEqual([])
  })
})

describe('below the table', () => {
  it('a total is a row that is told, and notes are rejected', async () => {
    const found = await whole('id,name,n\n1,Ann,3\n2,Bob,4\n3,Cid,5\nTotal,,12\n\nSource: the office\n')
    expect(found.rows.at(-1)).toEqual(['Total', null, '12'])
    expect(found.notes).toContainEqual({
      code: 'total-row',
      message: 'The last row looks like a total, and is read as a row: line 5, “Total,,12”.',
      count: 1,
    })
    expect(found.rejected).toEqual(['Source: the office'])
    expect((await whole('id,what\n1,total\n2,rest\n3,more\n')).told).not.toContain('total-row')
  })
})

describe('a second table', () => {
  const first = 'id,name,n\n1,Ann,3\n2,Bob,4\n3,Cid,5\n'

  it.each([
    ['narrower, after a blank line', '\nkey,value\nx,1\ny,2\n', 3],
    ['narrower, with the same names', 'id,name\n1,Ann\n2,Bob\n', 3],
    ['wider, with the same names', 'id,name,n,more\n1,Ann,3,x\n2,Bob,4,y\n3,Cid,5,z\n4,Dee,6,w\n', 5],
  ])('%s, is kept apart and told', async (_, second, rejected) => {
    const found = await whole(first + second)
    expect(found.names).toEqual(['id', 'name', 'n'])
    expect(found.rows).toHaveLength(3)
    expect(found.rejected).toHaveLength(rejected)
    expect(found.told).toContain('other-table')
  })
})

describe('quotes', () => {
  it('are text where they are never escaped', async () => {
    const text = 'id,t,n\n1,"say "hi" now",3\n2,"a "b" c",4\n3,"x "y" z",5\n4,"fine",6\n'
    expect(await whole(text)).toMatchObject({
      rows: [
        ['1', 'say "hi" now', '3'],
        ['2', 'a "b" c', '4'],
        ['3', 'x "y" z', '5'],
        ['4', 'fine', '6'],
      ],
      told: ['stray-quotes'],
    })
    expect((await whole(text, { strayQuotes: 'reject' })).rejected).toHaveLength(3)
  })

  it('that are never closed take no lines with them', async () => {
    const { rows } = await whole('a,b\n1,"open\n2,"x\ny"\n3,z\n', { strayQuotes: 'text' })
    expect(rows).toEqual([
      ['1', '"open'],
      ['2', 'x\ny'],
      ['3', 'z'],
    ])
    // A line after that is no row may be the rest of its text.
    const { rejected } = await whole('a,b\n1,"open\nmore\n2,x\n3,y\n', { strayQuotes: 'text', shortRows: 'reject' })
    expect(rejected).toEqual(['1,"open', 'more'])
  })

  it('are apostrophes beside apostrophes in text', async () => {
    const text = "id,name\n1,'O''Neill, Pat'\n2,'isn''t, no'\n3,it's\n4,'say \"hi\"'\n"
    expect(await whole(text)).toMatchObject({
      rows: [
        ['1', "O'Neill, Pat"],
        ['2', "isn't, no"],
        ['3', "it's"],
        ['4', 'say "hi"'],
      ],
    })
  })
})

describe('tables that programs draw', () => {
  const rows = [
    ['1', 'Ann Lee', '2.50'],
    ['2', 'Bob', null],
    ['3', 'Zoë', '10.00'],
  ]

  it.each([
    [
      'mysql -t',
      '+----+---------+-------+\n| id | name    | price |\n+----+---------+-------+\n|  1 | Ann Lee |  2.50 |\n|  2 | Bob     |       |\n|  3 | Zoë     | 10.00 |\n+----+---------+-------+\n3 rows in set (0.00 sec)\n',
    ],
    [
      'Markdown without outer pipes',
      'id | name | price\n--- | --- | ---\n1 | Ann Lee | 2.50\n2 | Bob | \n3 | Zoë | 10.00\n',
    ],
    [
      'sqlcmd',
      'id          name       price\r\n----------- ---------- ------\r\n          1 Ann Lee      2.50\r\n          2 Bob              \r\n          3 Zoë         10.00\r\n\r\n(3 rows affected)\r\n',
    ],
    [
      'a fixed width',
      'ID  NAME       PRICE\n1   Ann Lee     2.50\n2   Bob\n3   Zoë        10.00\n'.replace(
        'ID  NAME       PRICE',
        'id  name       price',
      ),
    ],
  ])('by %s', async (_, text) => {
    expect(await whole(text)).toMatchObject({ names: ['id', 'name', 'price'], rows })
  })

  it('by place, where values with a blank in them would have the names of other columns', async () => {
    const text = `EMPNO NAME    HIRED            PAY
00007 Ann     2024-01-31 10:15 2.50
00012 Bob     2024-02-01 11:00 3.75
00140 Zoë     2024-02-02 12:45 10.00
`
    const { names, rows: read, columns, told } = await whole(text)
    expect(names).toEqual(['EMPNO', 'NAME', 'HIRED', 'PAY'])
    expect(read[2]).toEqual(['00140', 'Zoë', '2024-02-02 12:45', '10.00'])
    expect([columns.map(({ type }) => type), told]).toEqual([
      ['VARCHAR', 'VARCHAR', 'TIMESTAMP', 'DECIMAL(4,2)'],
      ['fixed-width'],
    ])
    // R prints names of rows without a name above them.
    const printed = '      mpg cyl\nMazda  21   6\nValiant 18  6\nHornet 214  4\n'
    expect((await whole(printed)).names).toHaveLength(3)
  })

  it('by place, below a title that isn’t aligned with them', async () => {
    const below = Array.from(
      { length: 9 },
      (_, i) => `  TCP    127.0.0.1:400${i}         10.0.0.${i}:443           ESTABLISHED`,
    )
    const names = '  Proto  Local Address          Foreign Address        State'
    const found = await whole(['Active Connections', '', names, ...below].join('\n'))
    expect(found.names).toEqual(['Proto', 'Local Address', 'Foreign Address', 'State'])
    expect(found.rows[0]).toEqual(['TCP', '127.0.0.1:4000', '10.0.0.0:443', 'ESTABLISHED'])
    expect([found.rows.length, found.rejected]).toEqual([9, []])
  })

  it.each([
    [
      'below a title right above them',
      `Active Internet connections (servers and established)
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
tcp        0      0 0.0.0.0:22              0.0.0.0:*               LISTEN      812/sshd
tcp        0     36 10.0.0.5:22             10.0.0.9:51234          ESTABLISHED 1234/sshd: anna
tcp6       0      0 :::80                   :::*                    LISTEN      900/nginx
`,
      ['Proto', 'Recv-Q', 'Send-Q', 'Local Address', 'Foreign Address', 'State', 'PID/Program name'],
      ['tcp', '0', '36', '10.0.0.5:22', '10.0.0.9:51234', 'ESTABLISHED', '1234/sshd: anna'],
    ],
    [
      'with values of several words, which have one name',
      `CONTAINER ID   IMAGE          CREATED        STATUS                    PORTS                    NAMES
1a2b3c4d5e6f   nginx:latest   2 hours ago    Up 2 hours                0.0.0.0:80->80/tcp       web
2a2b3c4d5e6f   redis:7        3 days ago     Exited (0) 2 days ago                              cache
`,
      ['CONTAINER ID', 'IMAGE', 'CREATED', 'STATUS', 'PORTS', 'NAMES'],
      ['2a2b3c4d5e6f', 'redis:7', '3 days ago', 'Exited (0) 2 days ago', null, 'cache'],
    ],
    [
      'above remarks',
      `  UNIT                     LOAD   ACTIVE SUB     DESCRIPTION
  cron.service             loaded active running Regular background program processing daemon
  dbus.service             loaded active running D-Bus System Message Bus
  network.service          loaded failed failed  Network

LOAD   = Reflects whether the unit definition was properly loaded.
3 loaded units listed.
`,
      ['UNIT', 'LOAD', 'ACTIVE', 'SUB', 'DESCRIPTION'],
      ['dbus.service', 'loaded', 'active', 'running', 'D-Bus System Message Bus'],
    ],
  ])('by place, %s', async (_, text, names, second) => {
    const found = await whole(text)
    expect(found.names).toEqual(names)
    expect(found.rows[1]).toEqual(second)
  })

  it('by place, with commands of several words, of any length, in the last column', async () => {
    const text = `USER         PID %CPU    VSZ TTY      STAT START   TIME COMMAND
root           1  0.7  44488 ?        SLl  10:47   0:04 /sbin/init --addr 0.0.0.0:2024 --size 32768 ${'--block-local '.repeat(200)}
root           2  0.0      0 ?        S    10:47   0:00 [kthreadd]
root           3  0.0      0 ?        I<   10:47   0:00 [slub flush wq]
postgres   74123 12.5 123456 pts/0    Rs+  10:58   1:10 postgres: checkpointer
`
    const { names, rows: read, rejected } = await whole(text)
    expect(names).toEqual(['USER', 'PID', '%CPU', 'VSZ', 'TTY', 'STAT', 'START', 'TIME', 'COMMAND'])
    expect([read.length, rejected]).toEqual([4, []])
    expect(read[2]).toEqual(['root', '3', '0.0', '0', '?', 'I<', '10:47', '0:00', '[slub flush wq]'])
  })

  it('by place, below another table with other columns', async () => {
    const text = `Linux 5.15.0 (web01) \t03/04/2024 \t_x86_64_\t(4 CPU)

avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           2.34    0.00    0.98    0.12    0.00   96.56

Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda              12.34       123.45       234.56    1234567    2345678
sdb               0.12         1.23         0.00      12345          0
nvme0n1         112.04      1023.45      2034.56   91234567   92345678
`
    const { names, rows: read } = await whole(text)
    expect(names).toEqual(['Device', 'tps', 'kB_read/s', 'kB_wrtn/s', 'kB_read', 'kB_wrtn'])
    expect(read[1]).toEqual(['sdb', '0.12', '1.23', '0.00', '12345', '0'])
  })

  it('are read so when the person says so', async () => {
    const text = 'a b  c\n1 x  2\n3 y  4\n5 zz 6\n'
    const fixed = await whole(text, { layout: 'fixed' })
    expect(fixed).toMatchObject({ names: ['a', 'b', 'c'], settings: { columnStarts: [0, 2, 5] } })
    const given = await whole(text, { layout: 'fixed', columnStarts: [0, 5] })
    expect(given).toMatchObject({
      names: ['a b', 'c'],
      rows: [
        ['1 x', '2'],
        ['3 y', '4'],
        ['5 zz', '6'],
      ],
    })
    expect((await whole('a|b\n1|2\n', { layout: 'frame' })).rows).toEqual([['1', '2']])
    const found = 'id  name   city\n1   Ann    Rome\n2   Bob    Oslo\n'
    expect((await whole(found)).names).toEqual(['id', 'name', 'city'])
    expect((await whole(found, { columnStarts: [0, 4] })).names).toEqual(['id', 'name   city'])
  })

  it('by pandas, with an index', async () => {
    const text = '    name  qty   city\n0    Ann    3   Rome\n1    Bob   44   Oslo\n2  Chris  555   Bonn\n'
    expect(await whole(text)).toMatchObject({
      names: ['row_name', 'name', 'qty', 'city'],
      rows: [
        ['0', 'Ann', '3', 'Rome'],
        ['1', 'Bob', '44', 'Oslo'],
        ['2', 'Chris', '555', 'Bonn'],
      ],
    })
  })
})

describe('delimiters', () => {
  it.each([
    [
      'a comma and a blank',
      'id, name, n\n1, Ann Lee, 2.5\n2, "Bob, jr.", 3\n',
      ',',
      [
        ['1', 'Ann Lee', '2.5'],
        ['2', 'Bob, jr.', '3'],
      ],
    ],
    [
      'blanks around',
      'id ; name ; n\n1 ; Ann ; 2\n2 ; Bob ; 3\n',
      ';',
      [
        ['1', 'Ann', '2'],
        ['2', 'Bob', '3'],
      ],
    ],
    [
      'two pipes',
      'id||name||n\n1||Ann||2\n2||Bob||3\n',
      '||',
      [
        ['1', 'Ann', '2'],
        ['2', 'Bob', '3'],
      ],
    ],
    [
      'two semicolons',
      'id;;name;;n\n1;;Ann;;2\n2;;Bob;;3\n',
      ';;',
      [
        ['1', 'Ann', '2'],
        ['2', 'Bob', '3'],
      ],
    ],
    [
      'two colons',
      'id::name::n\n1::Ann::2\n2::Bob::3\n',
      '::',
      [
        ['1', 'Ann', '2'],
        ['2', 'Bob', '3'],
      ],
    ],
    [
      'lines that end with one, as TPC-H has it',
      '1|Ann|2.5|\n2|Bob|3.5|\n',
      '|',
      [
        ['1', 'Ann', '2.5'],
        ['2', 'Bob', '3.5'],
      ],
    ],
  ])('%s', async (_, text, delimiter, rows) => {
    expect(await whole(text)).toMatchObject({ settings: { delimiter }, rows, rejected: [] })
  })

  it('that are not found are told, as a doubt where there could be some', async () => {
    expect((await whole('name\nAnn\nBob\n')).notes).toMatchObject([{ code: 'no-delimiter' }, { code: 'header-guess' }])
    const prose = 'Once upon a time,\nin a land, far, far away,\nlived nobody.\n'
    expect((await whole(prose)).notes[0]).toMatchObject({ code: 'no-delimiter', doubt: true })
  })

  it('may be a matter of taste: then they are a doubt', async () => {
    const { notes } = await whole('1,5;2,5\n3,5;4,5\n')
    expect(notes.map(({ code, doubt }) => [code, doubt])).not.toContainEqual(['delimiter-guess', undefined])
  })
})

describe('the header', () => {
  it.each([
    ['over a first column that is mixed', 'no,name,city\n1,Ann,Rome\n#2,Bob,Oslo\n3,Cid,Bonn\n', true],
    ['over codes', 'ref,name\nAB-12,Ann\nCD-34,Bob\n', true],
    ['over few values', 'kind,size\nred,round\nred,flat\nblue,round\nred,flat\nblue,flat\nred,round\n', true],
    ['that one of its names comes again below', 'type,n\na,1\ntype,2\nb,3\n', true],
    ['missing over numbers', '1,2.5\n2,3.5\n', false],
  ])('%s', async (_, text, header) => {
    const found = await whole(text)
    expect(found.settings.header).toBe(header)
    expect(found.told).not.toContain('header-guess')
  })

  it('may have several rows', async () => {
    const units = 'country,people,area\n,thousands,km2\nItaly,59000,301000\nFrance,68000,643000\n'
    expect(await whole(units)).toMatchObject({
      names: ['country', 'people thousands', 'area km2'],
      told: ['header-rows'],
    })
    expect((await whole(units, { headerRows: 1 })).rows).toHaveLength(3)
    const twice = 'id,name,n\nid,name,n\nid,name,n\n1,Ann,3\n2,Bob,4\n3,Cid,5\n'
    expect(await whole(twice)).toMatchObject({ names: ['id id id', 'name name name', 'n n n'] })
    expect(await whole(twice)).toMatchObject({ settings: { headerRows: 3 }, rows: [['1', 'Ann', '3'], {}, {}] })
    // A row whose numbers are missing is none.
    expect((await whole('country,people,area\nItaly,n/a,n/a\nFrance,68000,643000\n')).rows).toHaveLength(2)
  })

  it('may have a row that names the first column alone, below groups and their names', async () => {
    const values = '2025-04-01,10.5,0,12.1,3.2\n2025-04-02,11.0,1.5,13.4,0\n2025-04-03,9.75,0,12.0,0.5\n'
    const groups = 'city,Berlin,Berlin,Paris,Paris\nmeasure,temp,rain,temp,rain\n'
    const names = ['city measure date', 'Berlin temp', 'Berlin rain', 'Paris temp', 'Paris rain']
    expect(await whole(`${groups}date,,,,\n${values}`)).toMatchObject({ names, settings: { headerRows: 3 } })
    // Below one row of names it may be a title in the table.
    expect((await whole(`city,temp,rain,low,high\ndate,,,,\n${values}`)).rows).toHaveLength(4)
  })

  it('says once what rows of it say twice, and is told above values that are missing', async () => {
    const text =
      'Day;People;Change\nDay;Count;Percent\n31.12.2020;83155031;0,0\n31.12.2021;83237124;0,1\n31.12.2022;84358845;-\n'
    const found = await whole(text)
    expect(found).toMatchObject({ names: ['Day', 'People Count', 'Change Percent'], told: ['header-rows'] })
    expect(found.rows).toHaveLength(3)
  })

  it('may have several rows above texts alone', async () => {
    const games = 'Lions,Rome,Bears,Oslo\nCats,Bonn,Dogs,Kiel\nHens,Graz,Ants,Linz\n'
    const names = ['Home Team', 'Home Town', 'Away Team', 'Away Town']
    for (const first of ['Home,,Away,', 'Home,Home,Away,Away']) {
      const found = await whole(`${first}\nTeam,Town,Team,Town\n${games}`)
      expect(found).toMatchObject({ names, told: ['header-rows'] })
      expect(found.rows).toHaveLength(3)
    }
  })

  it('is proposed to have several where its gaps alone say so', async () => {
    const text = 'Home,,Away,\nAlpha,Beta,Gamma,Delta\nLions,Rome,Bears,Oslo\nCats,Bonn,Dogs,Kiel\n'
    const [table] = (await inspect(text)).tables
    expect(table.rows).toBe(3)
    expect(table.proposals).toMatchObject([{ code: 'header-rows', ambiguous: true }])
    const [applied] = (await inspect(text, { header: true, headerRows: 2 })).tables
    expect(applied.columns.map(({ name }) => name)).toEqual(['Home Alpha', 'Home Beta', 'Away Gamma', 'Away Delta'])
    expect(applied.proposals).toBeUndefined()
  })

  it('may be below a line that tells Excel the delimiter', async () => {
    const messages = async (text: string) => {
      const { names, rows, notes } = await whole(text)
      return { names, rows: rows.length, said: notes.map(({ message }) => message) }
    }
    const said = ['The first line, “sep=;”, names the separator.']
    expect(await messages('sep=;\r\nid;name\r\n1;Ann\r\n')).toEqual({ names: ['id', 'name'], rows: 1, said })
    expect(await messages('"sep=;"\nid;name\n1;Ann\n')).toEqual({ names: ['id', 'name'], rows: 1, said })
    expect(await messages('sep=\t\nid\tname\n1\tAnn\n')).toMatchObject({
      names: ['id', 'name'],
      said: ['The first line, “sep=\\t”, names the separator.'],
    })
    expect(await messages('sep=;\nOrders;\n\nid;name;sum\n1;Ann;2\n2;Bob;3\n')).toEqual({
      names: ['id', 'name', 'sum'],
      rows: 2,
      said: [...said, 'The next 2 lines are not part of the table and skipped.'],
    })
  })

  it('isn’t that line, where there is but one column or another delimiter', async () => {
    const wrong = 'The first line, “sep=,”, names a separator that the rows don’t have.'
    const semicolons = await whole('sep=,\nid;name\n1;Ann\n2;Bob\n')
    expect(semicolons).toMatchObject({ names: ['id', 'name'], notes: [{ message: wrong }] })
    const one = await whole('sep=,\nid\n1\n2\n')
    expect(one).toMatchObject({ names: ['id'], rows: [['1'], ['2']], notes: [{ message: wrong }, {}] })
  })

  it('is a guess where cells say nothing', async () => {
    const manager = 'Ann,Manager\nBob,Clerk\nCid,Chef\n'
    for (const text of ['Rose,Oak\nAnn,Rome\nBob,Oslo\n', manager, 'city,note\nname,date\nprice,email\n']) {
      expect((await whole(text)).notes).toMatchObject([{ code: 'header-guess', doubt: true }])
    }
  })

  it.each([
    'Name,City\nAnn,Rome\nBob,Oslo\n',
    'Vorname,Straße\nAnn,Am Markt\nBob,Ring\n',
    'Prénom;Société\nAnn;Durand\nBob;Petit\n',
    'firstName,home_city\nAnn,Rome\nBob,Oslo\n',
    'имя,город\nАнна,Рим\nБорис,Осло\n',
    '氏名,住所\n山田,東京\n鈴木,大阪\n',
  ])('is no guess where columns are called as columns are: %j', async (text) => {
    const found = await whole(text)
    expect(found.names).toEqual(text.split('\n')[0].split(/[,;]/))
    expect(found.told).not.toContain('header-guess')
  })
})
