import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../lib/testing.ts'
import { DelimitedTokenizer } from './delimited.ts'
import { toDialect, unescape, type DialectSettings } from './detection/dialect-bytes.ts'
import { ESCAPED, FINE, NOT_UTF8, PLAIN, TEXT_AFTER_QUOTE, UNCLOSED_QUOTE } from './tokenizer.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const DEFAULT: DialectSettings = { delimiter: ',', quote: '"', escape: '"', comment: null, skipLines: 0 }

interface Found {
  line: number
  problem: number
  raw: string
  fields: { text: string; quoted: boolean }[]
}

function tokenize(
  input: string | Uint8Array,
  settings: Partial<DialectSettings> = {},
  cuts: readonly number[] = [],
  maxRecord = 1 << 28,
): Found[] {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input
  const dialect = toDialect({ ...DEFAULT, ...settings })
  const tokenizer = new DelimitedTokenizer(dialect, { maxRecord })
  const found: Found[] = []
  const drain = (): void => {
    while (tokenizer.next()) {
      for (let r = 0; r < tokenizer.records; r++) {
        const fields: Found['fields'] = []
        for (let f = tokenizer.firstFields[r]; f < tokenizer.firstFields[r + 1]; f++) {
          const kind = tokenizer.kinds[f]
          let value = tokenizer.bytes.slice(tokenizer.starts[f], tokenizer.ends[f])
          if (kind === ESCAPED) value = value.slice(0, unescape(value.slice(), 0, value.length, dialect, value))
          fields.push({ text: decoder.decode(value), quoted: kind !== PLAIN })
        }
        const raw = decoder.decode(tokenizer.bytes.subarray(tokenizer.recordStarts[r], tokenizer.recordEnds[r]))
        found.push({ line: tokenizer.lines[r], problem: tokenizer.problems[r], raw, fields })
      }
    }
  }
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    tokenizer.push(bytes.subarray(from, cut))
    drain()
    from = cut
  }
  tokenizer.end()
  drain()
  return found
}

const texts = (found: Found[]): string[][] => found.map(({ fields }) => fields.map(({ text }) => text))

const MEANT: Readonly<Record<string, string>> = { b: '\b', n: '\n', t: '\t', '0': '\0' }

/** A text with escapes as databases write it. */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\([^])/gu, (escape, next: string) => MEANT[next] ?? (/[a-zNé§]/.test(next) ? escape : next))

/** What the tokenizer does, written as plainly as possible: on a whole string, a character at a time. */
function reference(input: string, settings: DialectSettings): Found[] {
  const { delimiter, quote, escape, comment } = settings
  const isBare = quote === null && escape !== null
  const found: Found[] = []
  let at = 0
  let line = 1
  const lineEnd = (from: number): number => {
    let i = from
    while (i < input.length && input[i] !== '\n' && input[i] !== '\r') i++
    return i
  }
  const after = (end: number): number => (input.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, input.length))
  for (let skip = settings.skipLines; skip > 0 && at < input.length; skip--) {
    at = after(lineEnd(at))
    line++
  }
  while (at < input.length) {
    if (comment && input.startsWith(comment, at)) {
      at = after(lineEnd(at))
      line++
      continue
    }
    const start = at
    const fields: Found['fields'] = []
    let problem = FINE
    let end = -1
    while (end < 0) {
      const blanks = /^ */.exec(input.slice(at))?.[0].length ?? 0
      if (quote && input[at + blanks] === quote && (blanks === 0 || delimiter[0] !== ' ')) {
        at += blanks
        let text = ''
        let closed = false
        for (at++; at < input.length; at++) {
          const next = input[at + 1]
          if (input[at] === escape && next !== undefined && (next === quote || next === escape)) text += input[++at]
          else if (input[at] === quote) {
            closed = true
            break
          } else text += input[at]
        }
        at++
        if (closed) while (at < input.length && /[ \t]/.test(input[at]) && !input.startsWith(delimiter, at)) at++
        const ended = at >= input.length || /[\r\n]/.test(input[at])
        if (!closed || !(ended || input.startsWith(delimiter, at))) {
          const multi = /[\r\n]/.test(input.slice(start, at))
          problem = !closed || multi ? UNCLOSED_QUOTE : TEXT_AFTER_QUOTE
          end = lineEnd(problem === UNCLOSED_QUOTE ? start : at)
          break
        }
        fields.push({ text, quoted: true })
      } else {
        const from = at
        const isEnd = isBare ? /^(\n|\r\n|\r$)/ : /^[\r\n]/
        while (at < input.length && !isEnd.test(input.slice(at)) && !input.startsWith(delimiter, at))
          at += isBare && input[at] === '\\' ? 2 : 1
        at = Math.min(at, input.length)
        const text = input.slice(from, at)
        const isEscaped = isBare && text.includes('\\') && text !== '\\N'
        fields.push({ text: isEscaped ? withoutEscapes(text) : text, quoted: isEscaped })
      }
      if (at < input.length && input.startsWith(delimiter, at)) at += delimiter.length
      else end = Math.min(at, input.length)
    }
    const raw = input.slice(start, end)
    found.push({ line, problem, raw, fields: problem === FINE ? fields : [] })
    line += raw.split(isBare ? '\n' : /\r\n|\r|\n/).length - 1 + (end < input.length ? 1 : 0)
    at = after(end)
  }
  return found
}

describe('Tokenizer', () => {
  it('reads what RFC 4180 describes', () => {
    expect(texts(tokenize('a,b\r\n"x, y","say ""hi"""\r\n,"line\r\nbreak"\r\n'))).toEqual([
      ['a', 'b'],
      ['x, y', 'say "hi"'],
      ['', 'line\r\nbreak'],
    ])
  })

  it('knows the line that each record begins on', () => {
    const found = tokenize('a\r\n"b\nc\r\nd\re"\rf\n\ng')
    expect(found.map(({ line, raw }) => [line, raw])).toEqual([
      [1, 'a'],
      [2, '"b\nc\r\nd\re"'],
      [6, 'f'],
      [7, ''],
      [8, 'g'],
    ])
  })

  it('gives up one row for a quote that is not closed', () => {
    const found = tokenize('a,b\n1,"open\n2,x\n3,"fine"\n4,"last')
    expect(found.map(({ line, problem, raw }) => [line, problem, raw])).toEqual([
      [1, FINE, 'a,b'],
      [2, UNCLOSED_QUOTE, '1,"open'],
      [3, FINE, '2,x'],
      [4, FINE, '3,"fine"'],
      [5, UNCLOSED_QUOTE, '4,"last'],
    ])
  })

  it('looks only so far for a closing quote', () => {
    const input = `1,"open\n${'2,x\n'.repeat(1000)}`
    const cuts = Array.from({ length: 40 }, (_, i) => (i + 1) * 100)
    const found = tokenize(input, {}, cuts, 1500)
    expect(found).toHaveLength(1001)
    expect(found[0]).toMatchObject({ problem: UNCLOSED_QUOTE, raw: '1,"open' })
    expect(() => tokenize('x'.repeat(3000), {}, [1000, 2000], 1500)).toThrow(/larger/)
  })

  it('gives up a line that has text after a closing quote', () => {
    const found = tokenize('1,"a"b,c\n2,  "d" ,"e"\t\n3,f"g, h\n')
    expect(found.map(({ problem }) => problem)).toEqual([TEXT_AFTER_QUOTE, FINE, FINE])
    expect(texts(found)).toEqual([[], ['2', 'd', 'e'], ['3', 'f"g', ' h']])
  })

  it('finds the record that has bytes that are no text', () => {
    const bytes = Uint8Array.of(0x61, 10, 0x62, 0xe9, 0x63, 10, 0x64, 0xc3, 0xa9, 10, 0xc3)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const found = tokenize(bytes, {}, [cut])
      expect(found.map(({ problem }) => problem)).toEqual([FINE, NOT_UTF8, FINE, NOT_UTF8])
    }
  })

  it('takes backslashes as escapes only before a quote or a backslash', () => {
    const found = tokenize('"a\\"b","c\\\\","d\\n"', { escape: '\\' })
    expect(texts(found)).toEqual([['a"b', 'c\\', 'd\\n']])
  })

  it('goes over lines to skip and comments', () => {
    const found = tokenize('Report "x\r\n\r\n#no,\na,b\n#"c\n1,#2\n', { skipLines: 2, comment: '#' }, [9, 10, 13])
    expect(found.map(({ line, raw }) => [line, raw])).toEqual([
      [4, 'a,b'],
      [6, '1,#2'],
    ])
  })

  it('holds a field of many slices, and many columns', () => {
    const big = 'x'.repeat(3_000_000)
    const cuts = Array.from({ length: 299 }, (_, i) => (i + 1) * 10_000)
    expect(texts(tokenize(`a,"${big}"\n1,2`, {}, cuts))).toEqual([
      ['a', big],
      ['1', '2'],
    ])
    const wide = Array.from({ length: 100_000 }, (_, i) => `c${i}`)
    expect(texts(tokenize(`${wide.join(',')}\n1\n`, {}, [500_000]))).toEqual([wide, ['1']])
  })

  it('does what the reference does, wherever slices are cut', () => {
    const dialects = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', ' ', '||', '§'),
      quote: fc.constantFrom('"', '"', "'", null),
      escaping: fc.constantFrom('double', 'backslash'),
      comment: fc.constantFrom(null, '#', '//'),
      skipLines: fc.constantFrom(0, 0, 1, 2),
    })
    const property = fc.property(
      dialects,
      fc.array(
        fc.constantFrom(
          'a',
          'bc',
          'n',
          't',
          'N',
          '0',
          '"',
          '""',
          "'",
          ',',
          ';',
          '\t',
          ' ',
          '|',
          '||',
          '§',
          '\\',
          '\n',
          '\r',
          '\r\n',
          '#',
          '/',
          '//',
          'é',
        ),
        { maxLength: 40 },
      ),
      fc.array(fc.nat(60), { maxLength: 4 }),
      (dialect, pieces, points) => {
        const { delimiter, quote, comment, skipLines } = dialect
        const escape = dialect.escaping === 'double' ? quote : '\\'
        const settings = { delimiter, quote, escape, comment, skipLines }
        const input = pieces.join('')
        const size = encoder.encode(input).length
        const cuts = points.map((point) => Math.min(point, size)).sort((a, b) => a - b)
        expect(tokenize(input, settings, cuts)).toEqual(reference(input, settings))
      },
    )
    fc.assert(property, { numRuns: tries(5000) })
  })
})
