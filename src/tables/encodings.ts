interface Encoding {
  /** WHATWG label; `ibm437`, `ibm850`, `ibm852` and UTF-32, which have none, by their usual names. */
  readonly encoding: string
  readonly name: string
  /** The languages or regions that it covers. */
  readonly of: string
}

const list = (text: string): Encoding[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [encoding = '', name = '', of = ''] = line.trim().split(/\s*\|\s*/)
      return { encoding, name, of }
    })

/** Supported encodings, in the order of the menu. */
export const ENCODINGS: readonly Encoding[] = list(`
  utf-8          | UTF-8               | Unicode
  utf-16le       | UTF-16 LE           | Unicode
  utf-16be       | UTF-16 BE           | Unicode
  utf-32le       | UTF-32 LE           | Unicode
  utf-32be       | UTF-32 BE           | Unicode
  windows-1252   | Windows-1252        | Western
  iso-8859-15    | ISO 8859-15         | Western with euro
  macintosh      | Mac Roman           | Western
  ibm850         | DOS 850             | Western
  ibm437         | DOS 437             | Western
  windows-1250   | Windows-1250        | Central European
  iso-8859-2     | ISO 8859-2          | Central European
  ibm852         | DOS 852             | Central European
  iso-8859-16    | ISO 8859-16         | South-Eastern European
  windows-1257   | Windows-1257        | Baltic
  iso-8859-13    | ISO 8859-13         | Baltic
  iso-8859-4     | ISO 8859-4          | Baltic
  iso-8859-10    | ISO 8859-10         | Nordic
  iso-8859-14    | ISO 8859-14         | Celtic
  iso-8859-3     | ISO 8859-3          | South European
  windows-1254   | Windows-1254        | Turkish
  windows-1251   | Windows-1251        | Cyrillic
  koi8-r         | KOI8-R              | Cyrillic
  koi8-u         | KOI8-U              | Ukrainian
  ibm866         | DOS 866             | Cyrillic
  iso-8859-5     | ISO 8859-5          | Cyrillic
  x-mac-cyrillic | Mac Cyrillic        | Cyrillic
  windows-1253   | Windows-1253        | Greek
  iso-8859-7     | ISO 8859-7          | Greek
  windows-1255   | Windows-1255        | Hebrew
  iso-8859-8     | ISO 8859-8          | Hebrew
  windows-1256   | Windows-1256        | Arabic
  iso-8859-6     | ISO 8859-6          | Arabic
  windows-1258   | Windows-1258        | Vietnamese
  windows-874    | Windows-874         | Thai
  shift_jis      | Shift JIS           | Japanese
  euc-jp         | EUC-JP              | Japanese
  gb18030        | GB 18030            | Simplified Chinese
  big5           | Big5                | Traditional Chinese
  euc-kr         | EUC-KR              | Korean
`)

const KNOWN: ReadonlyMap<string, Encoding> = new Map(ENCODINGS.map((known) => [known.encoding, known]))

/** Usual name: `Windows-1252`. */
export function encodingName(encoding: string): string {
  return KNOWN.get(encoding)?.name ?? encoding
}

/** With languages or regions: `Western (Windows-1252)`. */
export function encodingLabel(encoding: string): string {
  const known = KNOWN.get(encoding)
  return known ? `${known.of} (${known.name})` : encoding
}
