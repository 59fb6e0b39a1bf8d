/** Seconds of a day, and of 400 years, after which the calendar and each zone's rules repeat themselves. */
const DAY = 86_400
const CYCLE = 146_097 * DAY

/** Years whose transitions are looked for: before them no zone has any, and after them its last rules go on. */
const FIRST_YEAR = 1800
const LAST_YEAR = 2499

/** How far apart a zone's offset is looked at, in seconds. */
const STEP = 7 * DAY

/** When a zone's offset changes in one year. Seconds since 1970, in UTC. */
interface Transitions {
  /** The offset as the year begins in UTC. */
  readonly before: number
  readonly at: readonly number[]
  /** From each of them on. */
  readonly offsets: readonly number[]
}

/** Short names that only some browsers know: those of Java, as ICU has them. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  ACT: 'Australia/Darwin',
  AET: 'Australia/Sydney',
  AGT: 'America/Argentina/Buenos_Aires',
  ART: 'Africa/Cairo',
  AST: 'America/Anchorage',
  BET: 'America/Sao_Paulo',
  BST: 'Asia/Dhaka',
  CAT: 'Africa/Harare',
  CNT: 'America/St_Johns',
  CST: 'America/Chicago',
  CTT: 'Asia/Shanghai',
  EAT: 'Africa/Addis_Ababa',
  ECT: 'Europe/Paris',
  IET: 'America/Indiana/Indianapolis',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  MIT: 'Pacific/Apia',
  NET: 'Asia/Yerevan',
  NST: 'Pacific/Auckland',
  PLT: 'Asia/Karachi',
  PNT: 'America/Phoenix',
  PRT: 'America/Puerto_Rico',
  PST: 'America/Los_Angeles',
  SST: 'Pacific/Guadalcanal',
  VST: 'Asia/Ho_Chi_Minh',
}

/**
 * A time zone, by what the browser knows of it (`Intl`): its offsets from UTC in seconds, whole years of them kept. Where
 * local times are skipped or come twice, they are read as ICU does.
 */
export class TimeZone {
  /** As it was asked for first. */
  readonly name: string
  private readonly format: Intl.DateTimeFormat
  private readonly years = new Map<number, Transitions>()
  readonly isUtc: boolean

  private constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name
    this.format = format
    this.isUtc = format.resolvedOptions().timeZone === 'UTC'
  }

  private static readonly known = new Map<string, TimeZone | null>()

  /** The zone of a name, in letters of any case; null when there's none. */
  static find(name: string): TimeZone | null {
    const key = name.toLowerCase()
    let zone = TimeZone.known.get(key)
    if (zone === undefined) {
      zone = TimeZone.make(name)
      // Rows may have any names.
      if (TimeZone.known.size > 2000) TimeZone.known.clear()
      TimeZone.known.set(key, zone)
    }
    return zone
  }

  /** @throws {Error} that there's no such zone */
  static named(name: string): TimeZone {
    const zone = TimeZone.find(name)
    if (zone) return zone
    const written = name.length > 60 ? `${name.slice(0, 60)}…` : name
    throw new Error(
      `There is no time zone “${written}”. Write a region such as Europe/Berlin: pg_timezone_names() lists them.`,
    )
  }

  private static make(name: string): TimeZone | null {
    // Some browsers take offsets for zones, which DuckDB doesn't.
    if (!/^[a-z]/i.test(name)) return null
    for (const each of [name, SHORT_NAMES[name.toUpperCase()]]) {
      if (each === undefined) continue
      try {
        return new TimeZone(spelled(name), formatOf(each))
      } catch {
        // `Intl` throws for what it doesn't know.
      }
    }
    return null
  }

  /** The offset at an instant. Seconds since 1970, not whole ones too; the offset is what is to be added to them. */
  offsetAt(instant: number): number {
    if (this.isUtc) return 0
    const seconds = within(Math.floor(instant))
    const { before, at, offsets } = this.transitions(yearOf(seconds))
    let offset = before
    for (let i = 0; i < at.length && seconds >= at[i]; i++) offset = offsets[i]
    return offset
  }

  /**
   * The offset of a local time: of one that comes twice the later one, of one that is skipped that from before.
   * @param local seconds since 1970 as the zone's clocks show them
   */
  offsetOfLocal(local: number): number {
    if (this.isUtc) return 0
    const seconds = within(Math.floor(local))
    const year = yearOf(seconds)
    const years = [year - 1, year, year + 1].map((each) => this.transitions(each))
    let offset = years[0].before
    for (const { at, offsets } of years)
      for (let i = 0; i < at.length; i++) if (seconds >= at[i] + offsets[i]) offset = offsets[i]
    return offset
  }

  /** How people abbreviate it at an instant, as far as English does: `EST`, or else `GMT+1`. */
  shortName(instant: number): string {
    const { timeZone } = this.format.resolvedOptions()
    const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(instant * 1000)
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? this.name
  }

  private transitions(year: number): Transitions {
    const inside = Math.min(Math.max(year, FIRST_YEAR), LAST_YEAR)
    // Before the first year, nothing changes.
    const key = year < FIRST_YEAR ? FIRST_YEAR - 1 : inside
    const known = this.years.get(key)
    if (known) return known
    const found = key < FIRST_YEAR ? { before: this.probe(startOf(FIRST_YEAR)), at: [], offsets: [] } : this.search(key)
    this.years.set(key, found)
    return found
  }

  private search(year: number): Transitions {
    const end = startOf(year + 1)
    const at: number[] = []
    const offsets: number[] = []
    let from = startOf(year)
    const before = this.probe(from)
    let offset = before
    while (from < end) {
      const to = Math.min(from + STEP, end)
      // What changes as the next year begins is of that year.
      const next = this.probe(to < end ? to : end - 1)
      if (next !== offset) {
        const found = this.bisect(from, to < end ? to : end - 1, offset)
        at.push(found.at)
        offsets.push(found.offset)
        offset = found.offset
        from = found.at
      } else from = to
    }
    // The year's first second may be a transition: `before` is what it changed from.
    const old = this.probe(startOf(year) - 1)
    return old === before
      ? { before, at, offsets }
      : { before: old, at: [startOf(year), ...at], offsets: [before, ...offsets] }
  }

  /** The first second after `from` with another offset. */
  private bisect(from: number, to: number, offset: number): { at: number; offset: number } {
    let low = from
    let high = to
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.probe(middle) === offset) low = middle
      else high = middle
    }
    return { at: high, offset: this.probe(high) }
  }

  /** The offset as `Intl` has it, from the local time that it prints. */
  private probe(seconds: number): number {
    const numbers = this.format.format(seconds * 1000).match(/\d+/g) ?? []
    const [month, day, year, hour, minute, second] = numbers.map(Number)
    return Date.UTC(year, month - 1, day, hour % 24, minute, second) / 1000 - seconds
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

/** A second of a year that transitions are looked for in, with the same offset. */
function within(seconds: number): number {
  const last = startOf(LAST_YEAR)
  if (!(seconds >= last)) return Math.max(seconds, startOf(FIRST_YEAR - 1))
  return last - CYCLE + ((seconds - last) % CYCLE)
}

const startOf = (year: number): number => Date.UTC(year, 0, 1) / 1000

const yearOf = (seconds: number): number => new Date(seconds * 1000).getUTCFullYear()

/** The name as the zones' list has it, where it has it. */
function spelled(name: string): string {
  const key = name.toLowerCase()
  return zoneNames().find((each) => each.toLowerCase() === key) ?? name
}

let names: readonly string[] | null = null

/** Names of today that some browsers know and don't list, because they list an older name of the zone. */
const TODAY = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
]

/** The names of zones that the browser lists, in their order, and UTC. */
export function zoneNames(): readonly string[] {
  names ??= [
    ...new Set([...Intl.supportedValuesOf('timeZone'), ...TODAY, ...Object.keys(SHORT_NAMES), 'UTC', 'GMT']),
  ].toSorted()
  return names
}
