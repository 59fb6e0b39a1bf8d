import { describe, expect, it } from 'vitest'
import type { Inspection } from '../../tables/plan.ts'
import { encodeText } from '../testing/encode.ts'
import { carried, fileOf, jsonRows, refusal } from '../testing/bad-input.ts'
import { inspect } from '../testing/run.ts'

/** A table of these values, in an encoding. */
function tableOf(names: readonly string[], encoding: string, rows = names.length): Uint8Array {
  const lines = Array.from({ length: rows }, (_, i) => `${i + 1},${names[i % names.length]},${i * 3}\n`)
  return encodeText(`id,name,n\n${lines.join('')}`, encoding) ?? new Uint8Array(0)
}
const found = async (content: Uint8Array, name = 't.csv'): Promise<Inspection> =>
  (await inspect(fileOf(name, content))).inspection
const isGuess = ({ notes }: Inspection): boolean => notes.some(({ code, doubt }) => code === 'encoding-guess' && doubt)
async function values(content: Uint8Array, rows: number): Promise<unknown[]> {
  const { result, files } = await carried(fileOf('t.csv', content), rows)
  expect(result.rejected).toEqual([])
  return (JSON.parse(await files[0].text()) as { name: unknown }[]).map(({ name }) => name)
}

describe('a single special character in Windows-1252 is read correctly', () => {
  it.each([
    '£5.00',
    '5 €',
    '© 2024',
    '20 °C',
    'don’t',
    '1990–2000',
    '½ cup',
    '5 × 3',
    '10\u00a0000',
    'École',
    'Ångström',
    'Müller',
    'Café',
    '“Hello” he said',
    'Acme™',
    '12 m²',
    'Smörgås',
    'El Niño',
    '¿Qué?',
    'São Paulo',
    'Bjørn',
    'Þór',
    'naïve',
  ])('%s', async (text) => {
    const inspection = await found(tableOf(['plain', text, 'simple'], 'windows-1252'))
    expect(inspection.settings).toMatchObject({ encoding: 'windows-1252' })
    expect(await values(tableOf(['plain', text, 'simple'], 'windows-1252'), 3)).toEqual(['plain', text, 'simple'])
  })

  it('in a tiny file', async () => {
    const inspection = await found(Buffer.from('id,fee\n1,\xa35.00\n', 'latin1'))
    expect(inspection.encodings?.[0]).toMatchObject({ encoding: 'windows-1252', sample: '1,£5.00' })
  })
})

const FRENCH = [
  'Élodie Lefèvre',
  'École',
  'Évry',
  'Étienne Béranger',
  'François Noël',
  'Zoé',
  'Liège',
  'Crème brûlée',
  'Réunion',
  'À côté',
]
const TURKISH = [
  'İstanbul',
  'Şişli',
  'Beyoğlu',
  'Kadıköy',
  'Çanakkale',
  'Muğla',
  'Ağrı',
  'Iğdır',
  'Gülşah Yıldız',
  'Oğuz Şahin',
]
const JAPANESE = ['東京都', '大阪府', '山田太郎', '株式会社サンプル', 'カタカナ', '横浜市', 'ひらがな', '北海道']
const CHINESE = ['北京市', '上海', '王小明', '有限公司', '广州', '李娜', '中国银行', '价格']
const GERMAN = ['Müller', 'Größe', 'Äpfel', 'Köln', 'Straße', 'Übung', 'Jürgen Schröder', 'Fußgänger']
const SPANISH = ['Peña', 'José María', 'Ñuñoa', 'Málaga', 'Avión', 'Cigüeña', 'Córdoba', 'Núñez']
const RUSSIAN = ['Москва', 'Санкт-Петербург', 'Иванов Пётр', 'Ёлка', 'улица Ленина', 'Новосибирск']
const POLISH = ['Łódź', 'Gdańsk', 'Świętochłowice', 'Żółć', 'Kraków', 'Częstochowa', 'Wałęsa']

describe('a table of 60 to 100 rows is read in its encoding, without a note that it’s a guess', () => {
  it.each([
    ['windows-1252', FRENCH],
    ['macintosh', FRENCH],
    ['ibm850', FRENCH],
    ['windows-1254', TURKISH],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['gb18030', CHINESE],
    ['ibm850', GERMAN],
    ['ibm437', GERMAN],
    ['ibm437', SPANISH],
    ['ibm850', SPANISH],
    ['macintosh', SPANISH],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['ibm866', RUSSIAN],
    ['x-mac-cyrillic', RUSSIAN],
    ['iso-8859-5', RUSSIAN],
    ['windows-1250', POLISH],
    ['iso-8859-2', POLISH],
    ['ibm852', POLISH],
    ['utf-32be', POLISH],
    ['utf-16be', JAPANESE],
    ['utf-16le', CHINESE],
    ['big5', ['臺北市', '高雄', '陳美玲', '股份有限公司', '銀行']],
    ['euc-kr', ['서울특별시', '부산', '김철수', '주식회사', '대한민국']],
    ['windows-1253', ['Αθήνα', 'Θεσσαλονίκη', 'Ελλάδα', 'Πέτρος Παπαδόπουλος', 'Άρτα']],
    ['windows-1255', ['ירושלים', 'תל אביב', 'חיפה', 'דוד כהן']],
    ['windows-1256', ['القاهرة', 'الرياض', 'محمد', 'شركة', 'بيروت']],
    ['windows-874', ['กรุงเทพมหานคร', 'เชียงใหม่', 'ประเทศไทย']],
    ['windows-1257', ['Rīga', 'Jūrmala', 'Šiauliai', 'Kėdainiai', 'Panevėžys']],
  ] as const)('%s: %s', async (encoding, words) => {
    const content = tableOf(words, encoding, 60 + words.length)
    expect(isGuess(await found(content))).toBe(false)
    expect((await values(content, 60 + words.length)).slice(0, words.length)).toEqual(words)
  })
})

describe('bytes that aren’t UTF-8', () => {
  const cut = Buffer.from('1001,caf\xe9,2\n', 'latin1')

  it('only reject their row if the file is UTF-8', async () => {
    const { result, files } = await carried(fileOf('t.csv', tableOf(['Müller'], 'utf-8', 1000), cut), 1001)
    expect(result.rejected).toMatchObject([{ row: 1001, line: 1002, reason: 'encoding' }])
    expect(await files[0].text()).toContain('Müller')
  })

  it('only reject their row at the beginning of such a file, too', async () => {
    const inspection = await found(
      Buffer.concat([Buffer.from('id,name,n\n'), cut, tableOf(['Müller', 'Größe'], 'utf-8', 1000)]),
    )
    expect(inspection.settings).toMatchObject({ encoding: 'utf-8' })
    expect(inspection.tables[0].rejected).toMatchObject([{ row: 1, reason: 'encoding' }])
  })

  it('determine the encoding even if they come far after the beginning', async () => {
    const content = Buffer.concat([
      tableOf(['plain'], 'utf-8', 100_000),
      tableOf(RUSSIAN, 'windows-1251', 500).subarray(10),
    ])
    expect((await found(content)).settings).toMatchObject({ encoding: 'windows-1251' })
  })

  it('that occur only in Latin-9 distinguish it from Windows-1252, even late in the file', async () => {
    const euro = encodeText('90001,5 €,1\n', 'iso-8859-15') ?? new Uint8Array(0)
    const content = Buffer.concat([tableOf(FRENCH.slice(0, 6), 'iso-8859-15', 30_000), euro, euro])
    expect((await found(content)).settings).toMatchObject({ encoding: 'iso-8859-15' })
  })
})

describe('a guessed encoding', () => {
  const content = encodeText('id,x\n1,à\n', 'ibm850') ?? new Uint8Array(0)

  it('is reported with an excerpt in both encodings', async () => {
    const inspection = await found(content)
    const note = inspection.notes.find(({ code }) => code === 'encoding-guess')
    expect(note).toMatchObject({
      doubt: true,
      message: expect.stringMatching(/^The encoding is a guess\. .*“1,…”.*“1,.”/),
    })
    expect(inspection.encodings?.map(({ sample }) => sample)).toContain('1,à')
  })

  it('isn’t reported once the person has chosen one', async () => {
    const { inspection } = await inspect(fileOf('t.csv', content), { settings: { kind: 'csv', encoding: 'ibm850' } })
    expect(isGuess(inspection)).toBe(false)
    expect(inspection.settings).toMatchObject({ encoding: 'ibm850' })
  })

  it('isn’t reported if everything is ASCII or all candidates read the same text', async () => {
    expect(isGuess(await found(tableOf(['plain'], 'utf-8')))).toBe(false)
    expect(isGuess(await found(tableOf(['Müller'], 'iso-8859-4')))).toBe(false)
  })
})

describe('JSON must be Unicode', () => {
  const rows = GERMAN.map((name, n) => ({ n, name }))
  it.each(['utf-8', 'utf-8+bom', 'utf-16le', 'utf-16be+bom', 'utf-32le', 'utf-32be+bom'])('in %s', async (encoding) => {
    const content = encodeText(JSON.stringify(rows), encoding) ?? new Uint8Array(0)
    expect(await jsonRows(await carried(fileOf('t.json', content), rows.length))).toEqual(rows)
  })

  it.each(['windows-1252', 'macintosh'])('an array in %s is refused with the place', async (encoding) => {
    const content =
      encodeText(`[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`, encoding) ?? new Uint8Array(0)
    const error = await refusal(fileOf('t.json', content))
    expect(error).toMatchObject({
      code: 'not-text',
      place: 'line 2, byte 19',
      message: expect.stringMatching(/UTF-8, UTF-16 or UTF-32/),
    })
    expect(error.remedy).toContain('save it as UTF-8')
  })

  it('is refused with the place of bytes that come late', async () => {
    const content = Buffer.concat([
      Buffer.from(`[${'{"name":"plain"},\n'.repeat(20_000)}`),
      Buffer.from('{"name":"caf\xe9"}]', 'latin1'),
    ])
    expect(await refusal(fileOf('t.json', content))).toMatchObject({
      code: 'not-text',
      place: 'line 20,001, byte 360,014',
    })
  })

  it('rejects only the row with damaged text', async () => {
    const good = GERMAN.map((name) => `{"name":"${name}"}`)
    const array = Buffer.concat([Buffer.from(`[${good.join(',')},`), Buffer.from('{"name":"caf\xe9"}]', 'latin1')])
    expect((await carried(fileOf('t.json', array), 9)).result.rejected).toMatchObject([{ row: 9, reason: 'encoding' }])
    const lines = Buffer.from('{"name":"plain"}\n{"name":"caf\xe9"}\n', 'latin1')
    expect((await carried(fileOf('t.ndjson', lines), 2)).result.rejected).toMatchObject([
      { row: 2, line: 2, reason: 'encoding' },
    ])
  })
})
