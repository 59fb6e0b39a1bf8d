import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../../../lib/bytes.ts'
import { BAD, JsonScanner, KIND, MAX_DEPTH, MORE, type Scanned } from './scanner.ts'
import { compact, unescape } from './text.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function scannerOn(text: string | Uint8Array, final = true): JsonScanner {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  const held = new Uint8Array(bytes.length + 1)
  held.set(bytes)
  const scanner = new JsonScanner()
  scanner.reset(held, 0, bytes.length, final)
  return scanner
}

/** Scans one value and nothing after it, as `JSON.parse` does. */
function accepts(text: string | Uint8Array): boolean {
  const scanner = scannerOn(text)
  if (scanner.value() < 0 || scanner.flaw?.kind === 'control') return false
  scanner.space()
  return scanner.pos === scanner.limit
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Builds the value that the scanner passes over, to compare with `JSON.parse`. */
function build(scanner: JsonScanner): unknown {
  const c = scanner.space()
  if (c === 0x5b) {
    const items: unknown[] = []
    scanner.pos++
    while (scanner.space() !== 0x5d) {
      if (scanner.bytes[scanner.pos] === 0x2c) scanner.pos++
      items.push(build(scanner))
    }
    scanner.pos++
    return items
  }
  if (c === 0x7b) {
    const members: [string, unknown][] = []
    scanner.pos++
    while (scanner.space() !== 0x7d) {
      if (scanner.bytes[scanner.pos] === 0x2c) scanner.pos++
      const key = textOf(scanner, scanner.key(scanner.space()))
      members.push([key, build(scanner)])
    }
    scanner.pos++
    return Object.fromEntries(members)
  }
  const kind = scanner.value()
  if (kind === KIND.null) return null
  if (kind === KIND.true || kind === KIND.false) return kind === KIND.true
  const text = textOf(scanner, kind)
  return kind === KIND.integer || kind === KIND.decimal ? Number(text) : text
}

function textOf(scanner: JsonScanner, kind: Scanned): string {
  const { bytes, start, end } = scanner
  if (kind !== KIND.escaped) return decoder.decode(bytes.subarray(start, end))
  const out = new ByteWriter(1)
  unescape(bytes, start, end, out)
  return decoder.decode(out.view())
}

describe('JsonScanner', () => {
  it('accepts what JSON.parse accepts, and finds the same values', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4, stringUnit: 'grapheme' }),
        fc.constantFrom(undefined, 1, '\t'),
        (json, indent) => {
          const text = JSON.stringify(JSON.parse(json), null, indent)
          expect(accepts(text)).toBe(true)
          expect(build(scannerOn(text))).toEqual(JSON.parse(text))
          const out = new ByteWriter(1)
          const bytes = encoder.encode(text)
          compact(bytes, 0, bytes.length, out)
          expect(decoder.decode(out.view())).toBe(JSON.stringify(JSON.parse(json)))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('accepts and refuses what JSON.parse does, of texts that are nearly JSON', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"a":',
      '1',
      '-',
      '0',
      '.',
      'e',
      'E+1',
      '1.5',
      'true',
      'false',
      'null',
      'nul',
      ' ',
      '\n',
      '\\',
      '\\n',
      '\\u00e9',
      '\\u12',
      '\\ud83d\\ude00',
      '\\x',
      '\t',
      'é',
      'NaN',
      '//',
      "'",
      '\u0000',
      '\u001f',
      '\u007f',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        const text = tokens.join('')
        expect([text, accepts(text)]).toEqual([text, parses(text)])
      }),
      { numRuns: 20_000 },
    )
  })

  it('asks for more wherever a text is cut, unless it is final', () => {
    const text = ' {"a\\u00e9\\ud83d\\ude00": [1, -2.5e+3, true, null, {}, []], "é": {"b": "x\\ny"}} '
    const bytes = encoder.encode(text)
    for (let end = 0; end < bytes.length - 1; end++) {
      expect(scannerOn(bytes.subarray(0, end), false).value()).toBe(MORE)
      expect(scannerOn(bytes.subarray(0, end), true).value()).toBe(BAD)
    }
    expect(scannerOn('12', false).value()).toBe(MORE)
    expect(scannerOn('12', true).value()).toBe(KIND.integer)
  })

  it('never looks beyond its limit', () => {
    const scanner = scannerOn('{"a": "b"}')
    scanner.reset(encoder.encode('{"a": "b"} "c"}'), 0, 7, true)
    const kind = scanner.value()
    expect(kind === BAD || scanner.pos > scanner.limit).toBe(true)
  })

  it.each([
    ['[1,]', 'There is a comma with no value after it: remove the comma.', 3],
    ['{"a":1,}', 'There is a comma with no value after it: remove the comma.', 7],
    ['[1 // one\n]', 'There is a comment here, which JSON doesn’t allow: remove it.', 3],
    ['{"a": NaN}', '“NaN” isn’t a JSON value: write null instead.', 6],
    ['{"a": -Infinity}', '“-Infinity” isn’t a JSON value.', 6],
    ["{'a': 1}", 'There is a single quote here; JSON wants double quotes.', 1],
    ['{"a": None}', '“None” is Python, not JSON.', 6],
    ['[007]', 'A number begins with a zero, which JSON doesn’t allow.', 1],
    ['{"a" 1}', 'There is “1” where a colon was expected.', 5],
    ['["\\q"]', '“\\q” isn’t an escape that JSON has.', 2],
    ['["a" "b"]', 'There is “"” where a comma or “]” was expected.', 5],
    ['{"a": 1', 'The text ends before it is complete.', 7],
  ])('says what is wrong in %s', (text, message, at) => {
    const scanner = scannerOn(text)
    expect(scanner.value()).toBe(BAD)
    expect(scanner.problem).toEqual({ kind: 'syntax', at, message })
  })

  it('tells strings that are no text from broken structure', () => {
    for (const [text, kind] of [
      ['"\\ud83d"', 'surrogate'],
      ['"\\ude00\\ud83d"', 'surrogate'],
      ['"\\ud83d\\u0041"', 'surrogate'],
      ['"a\tb"', 'control'],
    ] as const) {
      const scanner = scannerOn(text)
      expect(scanner.value()).toBeGreaterThanOrEqual(0)
      expect(scanner.flaw?.kind).toBe(kind)
    }
    const scanner = scannerOn(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))
    expect(scanner.value()).toBe(KIND.string)
    expect(scanner.flaw?.kind).toBe('utf-8')
  })

  it('bounds nesting', () => {
    expect(accepts('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))).toBe(true)
    const scanner = scannerOn('['.repeat(MAX_DEPTH + 1) + ']'.repeat(MAX_DEPTH + 1))
    expect(scanner.value()).toBe(BAD)
    expect(scanner.problem?.message).toContain('512 levels')
  })
})
