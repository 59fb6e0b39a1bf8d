import type { Data } from 'apache-arrow'
import { type ColumnType, printType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import type { ValueFormat } from '../../../tables/plan.ts'
import { isMarkedText, isTextFormula, skipSpaces, trimmedEnd } from '../text-bytes.ts'

/** A builder that preprocesses text for another builder. */
export abstract class WrappingBuilder implements ColumnBuilder {
  protected readonly inner: ColumnBuilder

  constructor(inner: ColumnBuilder) {
    this.inner = inner
  }

  get type(): ColumnType {
    return this.inner.type
  }
  get length(): number {
    return this.inner.length
  }
  get byteLength(): number {
    return this.inner.byteLength
  }

  abstract appendText(bytes: Uint8Array, start: number, end: number): boolean

  appendNull(): void {
    this.inner.appendNull()
  }
  truncate(length: number): void {
    this.inner.truncate(length)
  }
  finish(): Data {
    return this.inner.finish()
  }
}

const encoder = new TextEncoder()

/** Trims values and recognizes null values for another builder. */
export class TrimmedBuilder extends WrappingBuilder {
  private readonly trim: boolean
  private readonly formulas: boolean
  private readonly apostrophes: boolean
  private readonly nulls: readonly Uint8Array[]
  private readonly isText: boolean

  constructor(
    inner: ColumnBuilder,
    { trim = false, formulas = false, apostrophes = false, nullValues = [] }: ValueFormat,
  ) {
    super(inner)
    this.trim = trim
    this.formulas = formulas
    this.apostrophes = apostrophes
    this.nulls = nullValues.map((word) => encoder.encode(word))
    this.isText = printType(inner.type) === 'VARCHAR'
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    let [from, to] = [start, end]
    if (this.trim) {
      from = skipSpaces(bytes, from, to)
      to = trimmedEnd(bytes, from, to)
    }
    if (this.formulas && isTextFormula(bytes, from, to)) {
      from += 2
      to--
    }
    if (this.apostrophes && isMarkedText(bytes, from, to)) from++
    const isBlank = from === to && start < end && !this.isText
    if (!isBlank && !this.nulls.some((word) => isSame(word, bytes, from, to))) {
      return this.inner.appendText(bytes, from, to)
    }
    this.inner.appendNull()
    return true
  }
}

function isSame(word: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false
  return true
}
