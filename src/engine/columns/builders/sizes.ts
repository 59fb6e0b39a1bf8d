import { isDigit } from '../text-bytes.ts'
import { sizeIn } from '../sizes.ts'
import { WrappingBuilder } from './wrapping.ts'

const encoder = new TextEncoder()

/** Reads sizes such as `1.5G` as numbers of bytes for a builder of plain numbers, which it gives all else. */
export class SizesBuilder extends WrappingBuilder {
  private readonly scratch = new Uint8Array(64)

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const size = end > start && !isDigit(bytes[end - 1]) ? sizeIn(bytes, start, end) : null
    if (!size) return this.inner.appendText(bytes, start, end)
    const { written } = encoder.encodeInto(size.plain, this.scratch)
    return this.inner.appendText(this.scratch, 0, written)
  }
}
