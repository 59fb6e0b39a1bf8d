import type { ValueFormat } from '../../../tables/plan.ts'
import type { DecimalType, ScalarType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { EngineError } from '../../errors.ts'
import { BooleanBuilder } from './booleans.ts'
import { BlobBuilder, BytesBuilder, UuidBuilder } from './bytes.ts'
import { DecimalBuilder } from './decimals.ts'
import { FloatBuilder } from './floats.ts'
import { BigIntegerBuilder, isSmallInteger, SmallIntegerBuilder } from './integers.ts'
import { IntervalBuilder } from './intervals.ts'
import { JsonBuilder } from './json.ts'
import { MinusBuilder, NotationBuilder } from './notation.ts'
import { SizesBuilder } from './sizes.ts'
import { DateBuilder, TimeBuilder, TimestampBuilder } from './times.ts'

/**
 * Creates a builder for a type that isn't nested. Nested builders use it for their leaves.
 * @throws {EngineError} `invalid-plan` if the format is invalid
 */
export function makeScalarBuilder(type: ScalarType | DecimalType, format: ValueFormat = {}): ColumnBuilder {
  if (type.kind === 'decimal') return inNotation(new DecimalBuilder(type, type.width, type.scale, false), format)
  if (isSmallInteger(type.name)) return inNotation(new SmallIntegerBuilder(type, type.name), format)
  switch (type.name) {
    case 'BIGINT':
    case 'UBIGINT':
      return inNotation(new BigIntegerBuilder(type), format)
    case 'HUGEINT':
      return inNotation(new DecimalBuilder(type, 38, 0, true), format)
    case 'FLOAT':
    case 'DOUBLE':
      return inNotation(new FloatBuilder(type), format)
    case 'BOOLEAN':
      return new BooleanBuilder(type, format.trueValues, format.falseValues)
    case 'BLOB':
      return new BlobBuilder(type)
    case 'UUID':
      return new UuidBuilder(type)
    case 'DATE':
      return new DateBuilder(type, format.dateFormat)
    case 'TIME':
      return new TimeBuilder(type, format.dateFormat)
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_NS':
    case 'TIMESTAMP WITH TIME ZONE':
      return new TimestampBuilder(type, format.dateFormat)
    case 'JSON':
      return new JsonBuilder()
    case 'INTERVAL':
      return new IntervalBuilder(type, format.dateFormat)
    case 'VARCHAR':
      return new BytesBuilder(type)
  }
}

function inNotation(builder: ColumnBuilder, format: ValueFormat): ColumnBuilder {
  const { decimalMark = '.', grouping } = format
  if (decimalMark === grouping) {
    throw new EngineError('invalid-plan', `“${grouping}” can't be both the decimal mark and the thousands separator.`, {
      remedy: 'Choose another of the two.',
    })
  }
  const { unit, percent, scaled, sizes, negative } = format
  if (sizes) return new SizesBuilder(new MinusBuilder(builder))
  const plain = decimalMark === '.' && grouping === undefined && !unit && !percent && !scaled && negative === undefined
  return plain ? new MinusBuilder(builder) : new NotationBuilder(builder, format)
}
