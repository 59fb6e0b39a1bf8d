import type { ByteWriter } from '../../../../lib/bytes.ts'

/* The text of a list of texts, as DuckDB gives it and reads it. */

const QUOTE = 0x27
const BACKSLASH = 0x5c

/** Appends `['a', NULL]`. @param textOf an item's text, null for NULL */
export function quoteItems<T>(items: readonly T[], out: ByteWriter, textOf: (item: T) => Uint8Array | null): void {
  out.byte(0x5b)
  for (const [i, each] of items.entries()) {
    if (i > 0) out.text(', ')
    const text = textOf(each)
    if (text === null) out.text('NULL')
    else quoteItem(text, out)
  }
  out.byte(0x5d)
}

/** Appends a text in quotes. */
export function quoteItem(text: Uint8Array, out: ByteWriter): void {
  out.byte(QUOTE)
  for (const byte of text) {
    if (byte === QUOTE || byte === BACKSLASH) out.byte(BACKSLASH)
    out.byte(byte)
  }
  out.byte(QUOTE)
}

/** An item in quotes, where a backslash keeps the next character, or one that needs none. */
const ITEM = /'((?:[^'\\]|\\[^])*)'|([^,[\] ][^,\]]*)/g

/** The items of a list's text, null for NULL. */
export function readItems(text: string): (string | null)[] {
  return Array.from(text.matchAll(ITEM), ([, quoted, plain]: RegExpExecArray) =>
    plain === undefined ? quoted.replaceAll(/\\([^])/g, '$1') : plain === 'NULL' ? null : plain,
  )
}
