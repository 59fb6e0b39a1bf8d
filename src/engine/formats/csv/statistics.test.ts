import { expect, it } from 'vitest'
import type { CsvSettings, Inspection } from '../../../tables/plan.ts'
import { inspect, readAll } from './testing.ts'

/* Tables published by statistical offices. */

const EUROSTAT = `freq,unit,geo\\TIME_PERIOD\t2015 \t2016 \t2017 \nA,PC,AT\t123.4 b\t120.1 \t: \nA,PC,BE\t: c\t98.2 e\t96.1 ep\nA,PC,BG\t: \t45.0 \t47.9 \n`

const ONS = `"Title","CPIH ANNUAL RATE","CPIH INDEX"
"CDID","L55O","L522"
"PreUnit","",""
"Unit","%",""
"Important notes","",""
"1989","5.7","48.9"
"1990","8.0","52.8"
"1989 Q1","5.4",""
"1989 JAN","4.9",""
`

const proposed = ({ tables: [{ proposals = [] }] }: Inspection, code: string) =>
  proposals.find((each) => each.code === code)

/** Reads a text after applying one of its proposals. */
async function applied(text: string, code: string) {
  const proposal = proposed(await inspect(text), code)
  if (proposal?.change.kind !== 'reading') throw new Error(`no proposal ${code}`)
  const inspection = await inspect(text, proposal.change.settings as Partial<CsvSettings>)
  const { rows, rejected } = await readAll(text, inspection)
  const columns = inspection.tables[0].columns.map(({ name, type }) => `${name} ${type}`)
  return { inspection, message: proposal.message, columns, rows, rejected }
}

it('splits the keys and flags of Eurostat', async () => {
  const { columns, rows, rejected, message, inspection } = await applied(EUROSTAT, 'keys-and-flags')
  expect(message).toContain('has 3 keys (freq, unit, geo), and flags beside values (“123.4 b”)')
  expect(columns.slice(0, 3)).toEqual(['freq VARCHAR', 'unit VARCHAR', 'geo VARCHAR'])
  expect(columns.slice(3, 7)).toEqual([
    '2015 DECIMAL(4,1)',
    '2015 flag VARCHAR',
    '2016 DECIMAL(4,1)',
    '2016 flag VARCHAR',
  ])
  expect(columns.slice(7)).toEqual(['2017 DECIMAL(3,1)', '2017 flag VARCHAR'])
  expect(rows).toEqual([
    ['A', 'PC', 'AT', '123.4', 'b', '120.1', null, null, null],
    ['A', 'PC', 'BE', null, 'c', '98.2', 'e', '96.1', 'ep'],
    ['A', 'PC', 'BG', null, null, '45.0', null, '47.9', null],
  ])
  expect(rejected).toEqual([])
  expect(proposed(inspection, 'keys-and-flags')).toBeUndefined()
  const older = await inspect(EUROSTAT.replace('TIME_PERIOD', 'time'))
  expect(older.tables[0].proposals?.map(({ code }) => code)).toEqual(['keys-and-flags'])
})

it('keeps a row of Eurostat with other keys than the header apart', async () => {
  const text = EUROSTAT.repeat(2).replace('A,PC,BG\t: \t45.0 \t47.9 \nfreq', 'A,BG\t: \t45.0 \t47.9 \nfreq')
  expect(proposed(await inspect(text), 'keys-and-flags')).toBeUndefined()
  const settings = {
    layout: 'eurostat',
    delimiter: '\t',
    header: true,
    nullStrings: ['', ':'],
    shortRows: 'reject',
  } as const
  const inspection = await inspect(text, settings)
  expect(inspection.tables[0]).toMatchObject({ rows: 5, rejectedCount: 1, rejected: [{ line: 4 }] })
})

it('proposes nothing of the kind for keys that have no values, or rows with other keys', async () => {
  for (const text of ['a,b\\c\t2015\n', 'a,b\\c\t2015\nx,y\t1\nx\t2\n', 'a,b\t2015\nx,y\t1\nx,z\t2\n'])
    expect(proposed(await inspect(text), 'keys-and-flags')).toBeUndefined()
})

it('leaves out what a series of the ONS says of itself', async () => {
  const { columns, rows, message } = await applied(ONS, 'series-lines')
  expect(message).toContain('Lines 2 to 5 describe the series (CDID, PreUnit, Unit, Important notes)')
  expect(columns).toEqual(['Title VARCHAR', 'CPIH ANNUAL RATE DECIMAL(2,1)', 'CPIH INDEX VARCHAR'])
  expect(rows[0]).toEqual(['1989', '5.7', '48.9'])
  expect(rows.map(([period]) => period)).toEqual(['1989', '1990', '1989 Q1', '1989 JAN'])
})

const BUNDESBANK = `"";BBEX3.D.USD.EUR.BB.AC.000;BBEX3.D.USD.EUR.BB.AC.000_FLAGS
"";Euro-Referenzkurs der EZB / 1 EUR = ... USD;
Einheit;USD;
Dimension;Eins;
Stand vom;01.03.2024 16:05:31 Uhr;
2024-02-28;1,0808;
2024-02-29;1,0826;
2024-03-01;.;Kein Wert vorhanden
`

it('leaves out what a series of the Deutsche Bundesbank says of itself', async () => {
  const { columns, rows, message, inspection } = await applied(BUNDESBANK, 'series-lines')
  expect(message).toContain('Lines 2 to 5 describe the series (Einheit, Dimension, Stand vom)')
  expect(columns.slice(0, 2)).toEqual(['column_1 DATE', 'BBEX3.D.USD.EUR.BB.AC.000 VARCHAR'])
  expect(rows.map(([day]) => day)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
  expect(inspection.tables[0].columns[1].proposals).toMatchObject([
    { change: { patch: { type: 'DECIMAL(5,4)', format: { decimalMark: ',', nullValues: ['.'] } } } },
  ])
  expect(
    proposed(await inspect(BUNDESBANK.replace('Einheit', 'x').replace('Stand vom', 'y')), 'series-lines'),
  ).toBeUndefined()
})

it('proposes no lines to leave out where a table has columns called so', async () => {
  expect(proposed(await inspect('Title,CDID\nCDID,x\nabc,y\n'), 'series-lines')).toBeUndefined()
  expect(proposed(await inspect('Title,Year\n1984,1949\nDune,1965\n'), 'series-lines')).toBeUndefined()
})

const QUALTRICS = `StartDate,Progress,Finished,Q1
Start Date,Progress,Finished,"How old are you?
(in years)"
"{""ImportId"":""startDate"",""timeZone"":""America/Denver""}","{""ImportId"":""progress""}","{""ImportId"":""finished""}","{""ImportId"":""QID1_TEXT""}"
2024-03-01 10:15:33,100,True,34
2024-03-02 11:00:00,50,False,
`

it('leaves out the questions and ids that Qualtrics has below the names', async () => {
  const { columns, rows, message } = await applied(QUALTRICS, 'question-rows')
  expect(message).toContain('Lines 2 and 4 have the questions and ids of the columns')
  expect(columns).toEqual(['StartDate TIMESTAMP', 'Progress INTEGER', 'Finished BOOLEAN', 'Q1 INTEGER'])
  expect(rows).toEqual([
    ['2024-03-01 10:15:33', '100', 'true', '34'],
    ['2024-03-02 11:00:00', '50', 'false', null],
  ])
})

it('takes ids anywhere else for values', async () => {
  const ids = '"{""ImportId"":""a""}"'
  for (const text of [`a,b\n${ids},1\n${ids},2\n`, `${ids},1\n${ids},2\n`, `a,b\n1,${ids}\n2,${ids}\n`])
    expect(proposed(await inspect(text), 'question-rows')).toBeUndefined()
})

const SURVEYMONKEY = `Respondent ID,Start Date,How likely?,Which do you use?,,,Comments
,,Response,Charts,Tables,Other (please specify),Open-Ended Response
11800000000,03/13/2025 10:15:33 AM,9,Charts,,,"Fine, thanks"
11800000001,03/14/2025 11:00:00 AM,7,,Tables,maps,
`

it('takes the answers that SurveyMonkey has below its questions for part of the names', async () => {
  const { columns, rows, message } = await applied(SURVEYMONKEY, 'answer-row')
  expect(message).toContain('(Response, Charts, Tables, Other (please specify), Open-Ended Response)')
  expect(columns).toEqual([
    'Respondent ID BIGINT',
    'Start Date TIMESTAMP',
    'How likely? Response INTEGER',
    'Which do you use? Charts VARCHAR',
    'Which do you use? Tables VARCHAR',
    'Which do you use? Other (please specify) VARCHAR',
    'Comments Open-Ended Response VARCHAR',
  ])
  expect(rows.map((row) => row.slice(2))).toEqual([
    ['9', 'Charts', null, null, 'Fine, thanks'],
    ['7', null, 'Tables', 'maps', null],
  ])
})

it('takes them for values where they aren’t below a respondent’s number, or in the first column, too', async () => {
  for (const text of ['id,a\n,Response\n1,2\n', 'Respondent ID,a\n1,Response\n2,x\n', 'Respondent ID,a\n,x\n1,2\n'])
    expect(proposed(await inspect(text), 'answer-row')).toBeUndefined()
})
