import type { Data } from 'apache-arrow'
import { textColumn } from '../../arrow/cast/texts.ts'
import { readMoment } from '../functions/zones/moment.ts'
import { printMoment } from '../functions/zones/text.ts'
import type { TimeZone } from '../functions/zones/zone.ts'

const moment = { seconds: 0, micros: 0, infinite: false }

/** A time with a zone by the zone's clocks. */
export function instantText({ values }: Data, row: number, zone: TimeZone): string {
  const { buffer, byteOffset } = values as BigInt64Array
  readMoment(new Int32Array(buffer, byteOffset + row * 8, 2), moment)
  return printMoment(moment, zone)
}

/** A column of them as text. */
export function instantTexts(data: Data, zone: TimeZone): Data {
  return textColumn(data, (out, row) => out.text(instantText(data, row, zone)))
}
