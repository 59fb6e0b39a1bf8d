import { describe, expect, test } from 'vitest'
import { ByteWriter } from '../../../../lib/bytes.ts'
import { CLOSE, codeOf, END, NEED, OPEN, TEXT, XmlScanner } from './scanner.ts'
import { attributesOf } from './part.ts'
import { appendXmlText, utf8Source } from './text.ts'
import type { ByteSource } from '../../../../lib/zip/read.ts'
import { processorTime } from '../../../../lib/testing.ts'
import { findInvalidUtf8 } from '../../../io/utf8.ts'

/** The tokens of XML that arrives in these pieces, as strings. */
function tokens(pieces: readonly Uint8Array[]): string[] {
  const scanner = new XmlScanner('test')
  const found: string[] = []
  const out = new ByteWriter()
  const run = (): boolean => {
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      if (token === END) return true
      if (token === TEXT) {
        out.clear()
        appendXmlText(out, scanner.bytes, scanner.textStart, scanner.textEnd, scanner.textFlags)
        if (out.length > 0) found.push(`"${new TextDecoder().decode(out.view())}"`)
      } else if (token === OPEN) {
        const attributes = [...attributesOf(scanner)].map(([name, value]) => ` ${name}=${value}`)
        found.push(`<${scanner.name()}${attributes.join('')}${scanner.selfClosing ? '/' : ''}>`)
      } else if (token === CLOSE) found.push(`</${scanner.name()}>`)
    }
    return false
  }
  for (const piece of pieces) {
    scanner.push(piece)
    if (run()) return found
  }
  scanner.finish()
  run()
  return found
}

const bytesOf = (xml: string): Uint8Array => new TextEncoder().encode(xml)
const scan = (xml: string): string[] => tokens([bytesOf(xml)])

const SAMPLE =
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- a > comment -- with <tags> --><!DOCTYPE x:row PUBLIC "-//X//DTD 1.0//EN" "x.dtd"><x:row r="1" spans='1:"3' x:y="&lt;a>&amp;">` +
  `<c  r = "A1"\n t="s" ><v>12</v></c><c/><t xml:space="preserve"> Ünï &#228;&#xE4; &quot;😀&apos; _x000D__x0041_ _x005F_x000D_ </t>` +
  `<is><t><![CDATA[a <b> &amp; ]] ]]></t></is><v>a\r\nb\rc</v></x:row >\n`

const EXPECTED = [
  '"\n"',
  `<row r=1 spans=1:"3 y=<a>&>`,
  '<c r=A1 t=s>',
  '<v>',
  '"12"',
  '</v>',
  '</c>',
  '<c/>',
  '<t space=preserve>',
  `" Ünï ää "😀' \rA _x000D_ "`,
  '</t>',
  '<is>',
  '<t>',
  '"a <b> &amp; ]] "',
  '</t>',
  '</is>',
  '<v>',
  '"a\nb\nc"',
  '</v>',
  '</row>',
  '"\n"',
]

describe('tokens', () => {
  test('in one piece', () => expect(scan(SAMPLE)).toEqual(EXPECTED))

  test('cut anywhere', () => {
    const bytes = bytesOf(SAMPLE)
    for (let at = 0; at <= bytes.length; at++) {
      expect(tokens([bytes.slice(0, at), bytes.slice(at)])).toEqual(EXPECTED)
    }
  })

  test.each([1, 2, 3, 7])('in pieces of %i bytes', (size) => {
    const bytes = bytesOf(SAMPLE)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, i * size + size),
    )
    expect(tokens(pieces)).toEqual(EXPECTED)
  })

  test('names have codes up to three letters', () => {
    expect(codeOf('row')).toBe(0x726f77)
    expect(codeOf('sheetData')).toBe(0)
  })

  test('a text of many pieces costs no more than its length', () => {
    const piece = bytesOf('x'.repeat(64 * 1024))
    const started = processorTime()
    expect(tokens([bytesOf('<v>'), ...Array.from({ length: 500 }, () => piece), bytesOf('</v>')]).length).toBe(3)
    expect(processorTime() - started).toBeLessThan(3000)
  })
})

describe('refused', () => {
  test.each([
    ['<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>', /document type/],
    ['<!DOCTYPE x SYSTEM "x.dtd"', /ends in the middle/],
    ['<x>&a;</x>', /entity “&a;”/],
    ['<x>&amp</x>', /isn’t closed/],
    ['<x>&#0;</x>', /entity/],
    ['<x>&#xD800;</x>', /entity/],
    ['<x>&#x110000;</x>', /entity/],
    ['<x a=1/>', /isn’t quoted/],
    ['<x a/>', /no value/],
    ['<x a="1', /ends in the middle/],
    ['<x <y>', /isn’t closed/],
    ['<!-- x', /ends in the middle/],
    ['<![CDATA[ x', /ends in the middle/],
    ['</x', /ends in the middle/],
  ])('%s', (xml, message) => expect(() => scan(xml)).toThrow(message))

  test('a text beyond all bounds', () => {
    const piece = bytesOf('x'.repeat(8 * 1024 * 1024))
    expect(() => tokens([bytesOf('<v>'), ...Array.from({ length: 9 }, () => piece)])).toThrow(/over 67.1 MB/)
  })

  test('bytes that aren’t UTF-8', () => {
    expect(() => tokens([new Uint8Array([...bytesOf('<v>'), 0xe4, ...bytesOf('</v>')])])).toThrow(/UTF-8/)
  })
})

test('UTF-8 is told as TextDecoder tells it', () => {
  const fatal = new TextDecoder('utf-8', { fatal: true })
  const alphabet = [
    0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4, 0xf5,
  ]
  for (const a of alphabet) {
    for (const b of alphabet) {
      for (const c of alphabet) {
        for (const d of [0x41, 0x80, 0xbf]) {
          const bytes = new Uint8Array([a, b, c, d])
          let valid = true
          try {
            fatal.decode(bytes)
          } catch {
            valid = false
          }
          expect(findInvalidUtf8(bytes, 0, 4) < 0).toBe(valid)
        }
      }
    }
  }
})

describe('encodings', () => {
  function source(bytes: Uint8Array, size: number): ByteSource {
    let at = 0
    return {
      consumed: 0,
      cancel: () => Promise.resolve(),
      read: () => Promise.resolve(at < bytes.length ? bytes.slice(at, (at += size)) : null),
    }
  }
  async function decoded(bytes: Uint8Array, size: number): Promise<string> {
    const utf8 = await utf8Source(source(bytes, size))
    let text = ''
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    for (let part = await utf8.read(); part; part = await utf8.read()) text += decoder.decode(part, { stream: true })
    return text
  }
  const xml = '<?xml version="1.0" encoding="UTF-16"?><a>ä😀</a>'
  const utf16 = (mark: boolean, swap: boolean): Uint8Array => {
    const buffer = Buffer.from((mark ? '\ufeff' : '') + xml, 'utf16le')
    return new Uint8Array(swap ? buffer.swap16() : buffer)
  }
  const latin = '<?xml version="1.0" encoding="ISO-8859-1"?><a>ä</a>'
  test.each<[string, Uint8Array, string]>([
    ['UTF-8', bytesOf(xml), xml],
    ['UTF-8 with a mark', bytesOf(`\ufeff${xml}`), xml],
    ['UTF-16 LE', utf16(true, false), xml],
    ['UTF-16 BE', utf16(true, true), xml],
    ['UTF-16 LE without a mark', utf16(false, false), xml],
    ['Latin-1', new Uint8Array(Buffer.from(latin, 'latin1')), latin],
  ])('%s', async (_, bytes, text) => {
    expect(await decoded(bytes, 1000)).toBe(text)
    expect(await decoded(bytes, 64)).toBe(text)
    if (bytes[0] !== 0x3c || bytes[1] === 0) expect(await decoded(bytes, 3)).toBe(text)
  })

  test('an unknown one is said', async () => {
    await expect(decoded(bytesOf('<?xml version="1.0" encoding="klingon"?><a/>'), 99)).rejects.toThrow(/“klingon”/)
  })
})
