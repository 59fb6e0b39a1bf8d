import type { ByteWriter } from '../../../../lib/bytes.ts'
import { INFINITE_DAYS, SECONDS_PER_DAY } from '../../../arrow/calendar.ts'
import type { Cast } from '../scalar-functions.ts'
import { momentOf, type ZoneSetting } from './functions.ts'
import { readMoment, writeMoment, writeWord, type Moment } from './moment.ts'
import { printMoment, writeTimeOfDay, type TextReader } from './text.ts'

const moment: Moment = { seconds: 0, micros: 0, infinite: false }
const words = new Int32Array(2)

/** How unwilling the engine is to cast: as much as without ICU. Below 0, it casts only where that is written. */
const UNWILLING = -1
const WILLING = 123

/** Local times that can be made instants, and how many of each a second has. */
const LOCAL = [
  { from: 'TIMESTAMP', units: 1_000_000, cost: WILLING },
  { from: 'TIMESTAMP_S', units: 1, cost: UNWILLING },
  { from: 'TIMESTAMP_MS', units: 1000, cost: UNWILLING },
  { from: 'TIMESTAMP_NS', units: 1_000_000_000, cost: UNWILLING },
] as const

/** A cast of a time with a zone, given the zone's clocks. */
function ofMoment(
  to: Cast['to'],
  setting: ZoneSetting,
  write: (local: number, offset: number, out: ByteWriter) => boolean,
): Cast {
  return {
    from: 'TIMESTAMPTZ',
    to,
    cost: UNWILLING,
    call: ([time], row, out) => {
      if (!momentOf(time, row, moment)) return false
      const offset = moment.infinite ? 0 : setting.zone.offsetAt(moment.seconds)
      return write(moment.seconds + offset, offset, out)
    },
  }
}

function ofText(to: Cast['to'], read: (text: Uint8Array, out: ByteWriter) => void): Cast {
  return {
    from: 'VARCHAR',
    to,
    cost: UNWILLING,
    call: ([text], row, out) => {
      const given = text.text(row)
      if (given !== null) read(given, out)
      return given !== null
    },
  }
}

/** A cast of what has no zone. @param read what the value is as a moment of UTC, of `words` */
function toMoment(
  { from, cost }: Pick<Cast, 'from' | 'cost'>,
  setting: ZoneSetting,
  read: (into: Moment) => void,
): Cast {
  return {
    from,
    to: 'TIMESTAMPTZ',
    cost,
    call: ([time], row, out) => {
      if (!time.read(row, words)) return false
      read(moment)
      if (!moment.infinite) moment.seconds -= setting.zone.offsetOfLocal(moment.seconds)
      writeMoment(moment, out)
      return true
    },
  }
}

/** The casts that depend on the session's zone. The engine itself takes all times for UTC's. */
export function zoneCasts(setting: ZoneSetting, texts: TextReader): Cast[] {
  return [
    ofMoment('VARCHAR', setting, (_, __, out) => {
      out.text(printMoment(moment, setting.zone))
      return true
    }),
    ofMoment('TIMESTAMP', setting, (local, _, out) => {
      writeMoment({ ...moment, seconds: local }, out)
      return true
    }),
    ofMoment('DATE', setting, (local, _, out) => {
      const infinite = local < 0 ? -INFINITE_DAYS : INFINITE_DAYS
      writeWord(moment.infinite ? infinite : Math.floor(local / SECONDS_PER_DAY), out)
      return true
    }),
    ofMoment('TIMETZ', setting, (local, offset, out) => {
      if (moment.infinite) return false
      const second = local - Math.floor(local / SECONDS_PER_DAY) * SECONDS_PER_DAY
      writeTimeOfDay(second * 1_000_000 + moment.micros, offset, out)
      return true
    }),
    ofText('TIMESTAMPTZ', (text, out) => {
      texts.moment(text, setting.zone, moment)
      writeMoment(moment, out)
    }),
    ofText('TIMETZ', (text, out) => texts.timeOfDay(text, setting.zone, out)),
    toMoment({ from: 'DATE', cost: WILLING }, setting, readDays),
    ...LOCAL.map(({ units, ...cast }) => toMoment(cast, setting, (into) => readLocal(units, into))),
  ]
}

/** Reads `words` as days. */
function readDays(into: Moment): void {
  const [days] = words
  if (Math.abs(days) === INFINITE_DAYS) {
    readMoment(days < 0 ? PAST : FUTURE, into)
    return
  }
  into.seconds = days * SECONDS_PER_DAY
  into.micros = 0
  into.infinite = false
}

/** The times that stand for infinity. */
const FUTURE = Int32Array.of(-1, 0x7fff_ffff)
const PAST = Int32Array.of(1, -0x8000_0000)

/** Reads `words` as a number of units, of which a second has so many. */
function readLocal(units: number, into: Moment): void {
  readMoment(words, into)
  if (into.infinite || units === 1_000_000) return
  const total = (BigInt(words[1]) << 32n) | BigInt(words[0] >>> 0)
  const seconds = total / BigInt(units)
  const rest = total % BigInt(units)
  const micros = (rest * 1_000_000n) / BigInt(units)
  into.seconds = Number(seconds) - (micros < 0n ? 1 : 0)
  into.micros = Number(micros) + (micros < 0n ? 1_000_000 : 0)
}
