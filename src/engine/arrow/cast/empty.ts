import { BufferType, Data } from 'apache-arrow'
import { isNested, type ColumnType } from '../../../tables/types.ts'
import { makeScalarBuilder } from '../build/scalar.ts'
import { toArrowType } from '../types.ts'

/** A column of nulls, in the physical type of `toArrowType(type)`. */
export function nullColumn(type: ColumnType, length: number): Data {
  if (!isNested(type)) {
    const builder = makeScalarBuilder(type)
    for (let row = 0; row < length; row++) builder.appendNull()
    return builder.finish()
  }
  const validity = length === 0 ? {} : { [BufferType.VALIDITY]: new Uint8Array((length + 7) >> 3) }
  const arrowType = toArrowType(type)
  if (type.kind === 'struct') {
    const children = type.fields.map((field) => nullColumn(field.type, length))
    return new Data(arrowType, 0, length, length, validity, children)
  }
  const child =
    type.kind === 'list'
      ? nullColumn(type.item, 0)
      : new Data(arrowType.children[0].type, 0, 0, 0, {}, [nullColumn(type.key, 0), nullColumn(type.value, 0)])
  return new Data(arrowType, 0, length, length, { [BufferType.OFFSET]: new Int32Array(length + 1), ...validity }, [
    child,
  ])
}
