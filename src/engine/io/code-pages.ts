/* Single-byte encodings. */

/** 0x80 to 0x9f as control characters. */
const CONTROLS = String.fromCharCode(...Array.from({ length: 32 }, (_, i) => 0x80 + i))

/** The characters of 0x80 to 0xff in encodings that browsers (DOS) or Node don't support. */
const OWN: ReadonlyMap<string, string> = new Map([
  [
    'ibm437',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  [
    'ibm850',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
  [
    'ibm852',
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ],
  [
    'iso-8859-16',
    `${CONTROLS}\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ`,
  ],
])

/** 0x80 to 0x9f of windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt). */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Marks bytes without a character in a code page. */
export const NO_CHARACTER = 0xfffd

const made = new Map<string, readonly number[] | null>()

/**
 * The characters of the 256 bytes; null for encodings other than single-byte ones.
 * @throws {RangeError} for an unknown label
 */
export function codePage(label: string): readonly number[] | null {
  let page = made.get(label)
  if (page === undefined) made.set(label, (page = makePage(label)))
  return page
}

function makePage(label: string): readonly number[] | null {
  const own = OWN.get(label)
  if (own) return pageOf((byte) => own.codePointAt(byte - 0x80))
  const decoder = new TextDecoder(label, { ignoreBOM: true })
  if (!/^(windows|iso-8859|koi8|ibm|macintosh|x-mac|x-user)/.test(decoder.encoding)) return null
  if (decoder.encoding !== 'windows-1252') return pageOf((byte) => decoder.decode(Uint8Array.of(byte)).codePointAt(0))
  // Node 20 decodes windows-1252 as Latin-1 (https://github.com/nodejs/node/issues/56542).
  return pageOf((byte) => (byte < 0xa0 ? WESTERN.codePointAt(byte - 0x80) : byte))
}

function pageOf(high: (byte: number) => number | undefined): readonly number[] {
  return Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? byte : (high(byte) ?? NO_CHARACTER)))
}
