import { codePage } from '../io/code-pages.ts'

const made = new Map<string, ReadonlyMap<string, readonly number[]>>()

/** A text's bytes in an encoding; null if it can't encode the text. `+bom` adds a byte order mark. */
export function encodeText(text: string, encoding: string): Uint8Array | null {
  const [label, mark] = encoding.split('+')
  const all = mark ? `\ufeff${text}` : text
  const unicode = /^utf-(8|16|32)(le|be)?$/.exec(label)
  if (unicode) return encodeUnicode(all, Number(unicode[1]), unicode[2] === 'le')
  let table = made.get(label)
  if (!table) made.set(label, (table = tableOf(label)))
  return encodeByTable(all, table) ?? (label === 'windows-1258' ? encodeByTable(apart(all), table) : null)
}

function encodeByTable(text: string, table: ReadonlyMap<string, readonly number[]>): Uint8Array | null {
  const bytes: number[] = []
  for (const char of text) {
    const code = table.get(char)
    if (!code) return null
    bytes.push(...code)
  }
  return Uint8Array.from(bytes)
}

function encodeUnicode(text: string, bits: number, littleEndian: boolean): Uint8Array {
  if (bits === 8) return new TextEncoder().encode(text)
  const units =
    bits === 16
      ? Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
      : Array.from(text, (char) => char.codePointAt(0) ?? 0)
  const bytes = new Uint8Array(units.length * (bits / 8))
  const view = new DataView(bytes.buffer)
  for (const [i, unit] of units.entries()) {
    if (bits === 16) view.setUint16(i * 2, unit, littleEndian)
    else view.setUint32(i * 4, unit, littleEndian)
  }
  return bytes
}

/** Decomposes text for Windows-1258, which encodes tones as separate characters, but other marks with their letters. */
export function apart(text: string): string {
  const out: string[] = []
  for (const char of text.normalize('NFD')) {
    const both = `${out.at(-1) ?? ''}${char}`.normalize('NFC')
    if (/[\u0302\u0306\u031b]/.test(char) && both.length === 1) out.splice(-1, 1, both)
    else out.push(char)
  }
  return out.join('')
}

function tableOf(label: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>()
  const page = codePage(label)
  if (page) {
    for (const [byte, code] of page.entries())
      if (code !== 0xfffd && (code < 0x80 || code >= 0xa0)) table.set(String.fromCodePoint(code), [byte])
    return table
  }
  const decoder = new TextDecoder(label)
  const add = (bytes: readonly number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if (Array.from(text).length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let byte = 0; byte < 256; byte++) add([byte])
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail])
  return table
}
