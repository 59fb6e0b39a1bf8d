import { isNested, type ColumnType } from '../../tables/types.ts'
import type { ValueFormat } from '../../tables/plan.ts'
import { makeScalarBuilder } from './builders/scalar.ts'
import { TrimmedBuilder } from './builders/wrapping.ts'
import { makeNestedBuilder } from './builders/nested.ts'
import type { ColumnBuilder } from './column-builder.ts'

/**
 * A builder for any column type; nested types read JSON text.
 * @param format how the text is written, where that isn't the canonical form; nested types have only the canonical one
 * @throws {EngineError} `invalid-plan` when the format can't be used
 */
export function makeColumnBuilder(type: ColumnType, format?: ValueFormat): ColumnBuilder {
  const builder = isNested(type) ? makeNestedBuilder(type) : makeScalarBuilder(type, format)
  return format?.trim || format?.nullValues ? new TrimmedBuilder(builder, format) : builder
}
