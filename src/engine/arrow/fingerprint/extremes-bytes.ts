import type { Data } from 'apache-arrow'
import { validityOf, type Extremes } from './extremes-kind.ts'

/** Text of an extreme is cut at this many characters; bytes that these can take at most are what is kept and compared. */
const SHOWN = 200
const KEPT_BYTES = SHOWN * 4
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

interface BytesState {
  readonly least: Uint8Array | null
  readonly greatest: Uint8Array | null
}

/** Text and blobs, by the order of their bytes, which for text is that of its code points. */
export class BytesExtremes implements Extremes {
  private readonly blob: boolean
  private least: Uint8Array | null = null
  private greatest: Uint8Array | null = null

  constructor(blob: boolean) {
    this.blob = blob
  }

  add(data: Data, start: number, end: number): void {
    const bytes: Uint8Array = data.values
    const offsets: Int32Array = data.valueOffsets
    const bits = validityOf(data)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let least = -1
    let greatest = -1
    for (let row = start, at = data.offset + start; row < end; row++, at++) {
      if (bits !== null && (bits[at >> 3] & (1 << (at & 7))) === 0) continue
      if (least < 0) {
        least = row
        greatest = row
        continue
      }
      const from = offsets[row]
      const to = offsets[row + 1]
      if (compareBytes(view, from, to, view, offsets[least], offsets[least + 1]) < 0) least = row
      else if (compareBytes(view, from, to, view, offsets[greatest], offsets[greatest + 1]) > 0) greatest = row
    }
    if (least < 0) return
    const low = kept(bytes, offsets, least)
    if (this.least === null || compareKept(low, this.least) < 0) this.least = low
    const high = kept(bytes, offsets, greatest)
    if (this.greatest === null || compareKept(high, this.greatest) > 0) this.greatest = high
  }

  get state(): BytesState {
    return { least: this.least, greatest: this.greatest }
  }

  merge({ least, greatest }: BytesState): void {
    if (least && (this.least === null || compareKept(least, this.least) < 0)) this.least = least
    if (greatest && (this.greatest === null || compareKept(greatest, this.greatest) > 0)) this.greatest = greatest
  }

  get min(): string | null {
    return this.print(this.least)
  }
  get max(): string | null {
    return this.print(this.greatest)
  }

  private print(bytes: Uint8Array | null): string | null {
    if (bytes === null) return null
    const text = this.blob ? btoa(String.fromCharCode(...bytes)) : decoder.decode(bytes)
    return text.length <= SHOWN ? text : Array.from(text).slice(0, SHOWN).join('')
  }

  sum(): null {
    return null
  }
}

function kept(bytes: Uint8Array, offsets: Int32Array, row: number): Uint8Array {
  return bytes.slice(offsets[row], Math.min(offsets[row + 1], offsets[row] + KEPT_BYTES))
}

function compareKept(a: Uint8Array, b: Uint8Array): number {
  return compareBytes(new DataView(a.buffer), 0, a.length, new DataView(b.buffer), 0, b.length)
}

/** Compares no more than what is kept: values alike up to there look alike too. */
function compareBytes(a: DataView, aStart: number, aEnd: number, b: DataView, bStart: number, bEnd: number): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart, KEPT_BYTES)
  let i = 0
  // Big-endian words have the order of their bytes.
  for (; i + 4 <= length; i += 4) {
    const difference = a.getUint32(aStart + i) - b.getUint32(bStart + i)
    if (difference !== 0) return difference
  }
  for (; i < length; i++) {
    const difference = a.getUint8(aStart + i) - b.getUint8(bStart + i)
    if (difference !== 0) return difference
  }
  return length === KEPT_BYTES ? 0 : aEnd - aStart - (bEnd - bStart)
}
