import type { Data } from 'apache-arrow'
import { VARCHAR } from '../../../tables/types.ts'
import { isNull } from '../../arrow/text.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { readMoment } from '../functions/zones/moment.ts'
import { printMoment } from '../functions/zones/text.ts'
import type { TimeZone } from '../functions/zones/zone.ts'

const moment = { seconds: 0, micros: 0, infinite: false }
const encoder = new TextEncoder()

/** A time with a zone by the zone's clocks. */
export function instantText({ values }: Data, row: number, zone: TimeZone): string {
  const { buffer, byteOffset } = values as BigInt64Array
  readMoment(new Int32Array(buffer, byteOffset + row * 8, 2), moment)
  return printMoment(moment, zone)
}

/** A column of them as text. */
export function instantTexts(data: Data, zone: TimeZone): Data {
  const builder = makeColumnBuilder(VARCHAR)
  for (let row = 0; row < data.length; row++) {
    if (isNull(data, row)) {
      builder.appendNull()
      continue
    }
    const bytes = encoder.encode(instantText(data, row, zone))
    builder.appendText(bytes, 0, bytes.length)
  }
  return builder.finish()
}
