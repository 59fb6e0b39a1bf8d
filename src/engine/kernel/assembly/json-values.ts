import { skipNumber, skipString } from './json-text'
import { FALSE, NULL, TRUE } from './words'

/* Skips JSON values (RFC 8259). A function returns the end, or 0 for what JavaScript must parse. */

const CR: u8 = 0x0d
const QUOTE: u8 = 0x22
const COMMA: u8 = 0x2c
const COLON: u8 = 0x3a
const OPEN_LIST: u8 = 0x5b
const OPEN_OBJECT: u8 = 0x7b
const CLOSE_OBJECT: u8 = 0x7d

/** Deeper nesting is left to JavaScript. */
const DEEPEST: usize = 500

/** A line feed if it's white space between tokens. */
let between: u8 = 0x0a

/** The closing brackets of the arrays and objects around a value; before them 16 zeros, where no value is. */
let nowhere: usize = 0
let closers: usize = 0

/** @param at `CLOSERS_SIZE` bytes, the first 16 of them zeros */
export function setClosers(at: usize): void {
  nowhere = at
  closers = at + 16
}

/** @param lines whether a line feed ends a text rather than being white space */
export function setLines(lines: bool): void {
  between = lines ? CR : 0x0a
}

/** Skips white space. */
export function skipWhitespace(from: usize): usize {
  let at = from
  let byte = load<u8>(at)
  while (byte <= 0x20 && (byte === 0x20 || byte === between || byte === CR || byte === 0x09)) byte = load<u8>(++at)
  return at
}

/** Skips from the end of a key to its value, or to where no value is. */
export function skipColon(from: usize): usize {
  const at = skipWhitespace(from)
  return load<u8>(at) === COLON ? skipWhitespace(at + 1) : nowhere
}

/** Skips any value. */
export function skipAny(at: usize): usize {
  const byte = load<u8>(at)
  return byte === OPEN_OBJECT || byte === OPEN_LIST ? skipNested(at) : skipScalar(at)
}

function skipScalar(at: usize): usize {
  const byte = load<u8>(at)
  if (byte === QUOTE) return skipString(at + 1)
  return byte > 0x39 ? skipWord(at) : skipNumber(at)
}

/** Skips `null`, `true` or `false`. */
export function skipWord(at: usize): usize {
  const word = load<u32>(at)
  if (word === NULL || word === TRUE) return at + 4
  return word === FALSE && load<u8>(at, 4) === 0x65 ? at + 5 : 0
}

/** Skips an array or object, without recursion. */
export function skipNested(from: usize): usize {
  let depth: usize = 0
  // In ASCII, `]` and `}` are two after `[` and `{`.
  let closer: u8 = load<u8>(from) + 2
  let at = from + 1
  let fresh = true
  while (true) {
    at = skipWhitespace(at)
    let byte = load<u8>(at)
    if (!fresh || byte !== closer) {
      if (closer === CLOSE_OBJECT) {
        if (byte !== QUOTE) return 0
        at = skipString(at + 1)
        if (at === 0) return 0
        at = skipColon(at)
        byte = load<u8>(at)
      }
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth === DEEPEST) return 0
        store<u8>(closers + depth++, closer)
        closer = byte + 2
        at++
        fresh = true
        continue
      }
      at = skipScalar(at)
      if (at === 0) return 0
    }
    fresh = false
    while (true) {
      at = skipWhitespace(at)
      byte = load<u8>(at)
      if (byte !== closer) break
      at++
      if (depth === 0) return at
      closer = load<u8>(closers + --depth)
    }
    if (byte !== COMMA) return 0
    at++
  }
}
