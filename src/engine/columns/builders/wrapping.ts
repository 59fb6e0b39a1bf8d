import type { Data } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'

/** A builder that reads text in its own way, and leaves the values to another. */
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
