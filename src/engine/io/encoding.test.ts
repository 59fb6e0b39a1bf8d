import { execFileSync, spawnSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { prove } from '../testing/encoding-proof.ts'
import { detectEncoding, looksBinary, type FoundEncoding } from './encoding.ts'

const signal = new AbortController().signal
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const noIconv = spawnSync('iconv', ['--version']).status !== 0
/** Bytes that another program made. */
const iconv = (value: string, encoding: string): Uint8Array =>
  execFileSync('iconv', ['-f', 'utf-8', '-t', encoding], { input: value })
const detect = (bytes: Uint8Array): Promise<FoundEncoding> =>
  detectEncoding(new Blob([bytes as Uint8Array<ArrayBuffer>]), bytes, { compression: null, signal })

describe('detectEncoding', () => {
  const best = async (bytes: Uint8Array): Promise<string> => (await detect(bytes)).candidates[0].encoding
  it.skipIf(noIconv).each([
    ['utf-8', 'UTF-8', 'id,name\n1,Grüße\n'],
    ['utf-8', 'ASCII', 'id,name\n1,plain\n'],
    ['utf-16le', 'UTF-16LE', 'id,name\n1,Grüße\n2,Müller\n'],
    ['utf-16be', 'UTF-16BE', 'id,name\n1,Grüße\n2,Müller\n'],
    ['utf-16le', 'UTF-16', 'id,name\n1,日本\n'],
    ['windows-1252', 'CP1252', 'id,name,price\n1,Müller,5 €\n2,Desirée,7\n3,Peña,8\n'],
    ['windows-1250', 'CP1250', 'id,miasto\n1,Łódź\n2,Gdańsk\n3,Kraków\n4,Częstochowa\n5,Świętochłowice\n'],
    ['windows-1251', 'CP1251', 'id,город\n1,Москва\n2,Санкт-Петербург\n3,Новосибирск\n'],
    ['koi8-r', 'KOI8-R', 'id,город\n1,Москва\n2,Санкт-Петербург\n3,Новосибирск\n'],
    ['shift_jis', 'SHIFT_JIS', 'id,都市\n1,東京\n2,大阪\n3,カタカナとひらがな\n'],
    ['gb18030', 'GB18030', 'id,城市\n1,北京市\n2,上海市\n3,中国的大公司\n'],
    ['euc-kr', 'EUC-KR', 'id,도시\n1,서울\n2,부산\n3,대한민국\n'],
  ])('tells %s', async (encoding, name, value) => {
    expect(await best(iconv(value, name))).toBe(encoding)
  })

  it('is not misled by a sample that ends in the middle of a character', async () => {
    const bytes = utf8('name\nGrüße 日本 🎉')
    for (let end = 8; end <= bytes.length; end++) expect(await best(bytes.subarray(0, end))).toBe('utf-8')
  })

  it.skipIf(noIconv)('shows the first line that tells', async () => {
    const { candidates } = await detect(iconv('id,name\n1,plain\n2,Müller\n3,Grüße\n', 'CP1252'))
    expect(candidates[0].sample).toBe('2,Müller')
  })
})

describe('looksBinary', () => {
  it('tells text from the rest', () => {
    expect(looksBinary(utf8('a,b\t\r\n\u001b[1m'))).toBe(false)
    expect(looksBinary(Buffer.from('\ufeffid,name\n', 'utf16le'))).toBe(false)
    expect(looksBinary(gzipSync('a'.repeat(1000) + Math.random()))).toBe(true)
    expect(looksBinary(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0))).toBe(true)
    expect(looksBinary(utf8('a,\u0000,b\n1,2,3\n'))).toBe(false)
  })
})

// `npm run reading` tries them all.
it('tells the encodings of texts that its models haven’t seen, or says that it guesses', async () => {
  for (const [length, { tried, right, wrong, failures }] of await prove(17)) {
    expect(wrong, failures.join('\n')).toBe(0)
    if (length >= 20) expect(right / tried, failures.join('\n')).toBeGreaterThanOrEqual(length >= 200 ? 0.99 : 0.95)
  }
})
