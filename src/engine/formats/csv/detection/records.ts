import { plural } from '../../../../lib/counts.ts'
import { shortened } from '../../../../lib/text.ts'
import type { Proposal } from '../../../../tables/plan.ts'
import type { Form } from './sample.ts'

/* Records with a line for each value, `Key: value`, as LDIF, dpkg and PowerShell's Format-List write them. */

/** LDIF has a second colon before Base64. */
const VALUE = /^([\p{L}_$][^:\t]{0,60}?)[ \t]*:(:(?=[ \t])|(?=[ \t]|$))[ \t]?(.*)$/u
const CONTINUATION = /^[ \t]+\S/

/** The lines of a record's values, by key. */
export type KeyedRecord = ReadonlyMap<string, readonly string[]>

/** What lines were beside plain values. */
export interface RecordTally {
  records: number
  /** Lines outside of records, and the first of them. */
  outside: number
  outsideLine: number
  outsideText: string
  /** Lines that continue the value above. */
  continued: number
  /** Values whose key the record already had. */
  repeated: number
  repeatedKey: string
  decoded: number
}

/**
 * Collects records line by line. A record begins with a certain key, and ends before a blank line or the next one.
 * Lines in none, such as those about the whole file, are counted.
 */
export class RecordCollector {
  readonly tally: RecordTally = {
    records: 0,
    outside: 0,
    outsideLine: 0,
    outsideText: '',
    continued: 0,
    repeated: 0,
    repeatedKey: '',
    decoded: 0,
  }
  private record: Map<string, string[]> | null = null
  private key = ''
  private line = 0
  private isEncoded = false
  private readonly first: string
  private readonly take: (record: KeyedRecord) => void
  private readonly isLdif: boolean

  /**
   * @param first the key that begins each record
   * @param take gets each record when it has ended
   */
  constructor(first: string, take: (record: KeyedRecord) => void) {
    this.first = first
    this.take = take
    this.isLdif = first.toLowerCase() === 'dn'
  }

  /** Adds a line without its end. */
  add(text: string): void {
    this.line++
    if (text.trim() === '') return this.end()
    if (this.isLdif && text.startsWith('#')) return this.leaveOut(text)
    const found = VALUE.exec(text)
    if (found?.[1] === this.first) {
      this.end()
      this.record = new Map()
      this.tally.records++
    }
    if (!this.record) this.leaveOut(text)
    else if (found) this.addValue(found)
    else this.goOn(text)
  }

  /** Ends the last record. */
  end(): void {
    this.decode()
    if (this.record) this.take(this.record)
    this.record = null
  }

  private leaveOut(text: string): void {
    const { tally } = this
    if (tally.outside++ === 0) {
      tally.outsideLine = this.line
      tally.outsideText = text
    }
  }

  private addValue([, key = '', mark, value = '']: RegExpExecArray): void {
    this.decode()
    const known = this.record?.get(key)
    if (known) {
      known.push(value)
      this.tally.repeated++
      this.tally.repeatedKey ||= key
    } else this.record?.set(key, [value])
    this.key = key
    this.isEncoded = mark === ':' && this.isLdif
  }

  /** In LDIF a line goes on without its first blank, elsewhere a value has another line. */
  private goOn(text: string): void {
    const lines = this.record?.get(this.key)
    if (!lines) return
    this.tally.continued++
    const more = CONTINUATION.test(text) ? text.slice(1) : text
    lines.push(`${lines.pop() ?? ''}${this.isLdif ? '' : '\n'}${more}`)
  }

  /** Decodes the last value if it's a text in Base64. Binary data, such as a photo, stays as it is. */
  private decode(): void {
    const lines = this.isEncoded ? this.record?.get(this.key) : undefined
    this.isEncoded = false
    if (!lines) return
    try {
      const bytes = Uint8Array.from(atob(lines.at(-1) ?? ''), (char) => char.charCodeAt(0))
      lines.push(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
      lines.splice(-2, 1)
      this.tally.decoded++
    } catch {
      // It isn't a text.
    }
  }
}

/** Finds the key that begins most blocks of lines, or that repeats where there's one block. */
export class FirstKeys {
  private readonly firsts = new Map<string, number>()
  private readonly all = new Map<string, number>()
  private isBetween = true

  add(text: string): void {
    if (text.trim() === '') {
      this.isBetween = true
      return
    }
    const key = VALUE.exec(text)?.[1]
    if (key === undefined) return
    if (this.isBetween) this.firsts.set(key, (this.firsts.get(key) ?? 0) + 1)
    this.all.set(key, (this.all.get(key) ?? 0) + 1)
    this.isBetween = false
  }

  /** The number of blocks that begin with a key. */
  blocksWith(key: string): number {
    return this.firsts.get(key) ?? 0
  }

  /** Null if no line has a key. */
  find(): string | null {
    const [first] = [...this.firsts.keys()].toSorted(
      (a, b) =>
        (this.firsts.get(b) ?? 0) - (this.firsts.get(a) ?? 0) || (this.all.get(b) ?? 0) - (this.all.get(a) ?? 0),
    )
    return first ?? null
  }
}

const SHOWN = 80
/**
 * Fewer values in a record, or a smaller share of all keys, may be lines with a colon by chance. Without blank lines
 * between records, a log may look like them.
 */
const FEWEST_VALUES = 2
const FILLED = 0.3
const FILLED_WITHOUT_BLANKS = 0.8

/** Proposes to read `Key: value` lines as records, if all lines are such and the records have mostly the same keys. */
export function recordsProposal(text: string, { layout = 'delimited' }: Form): Proposal | null {
  if (layout === 'frame' || layout === 'eurostat') return null
  const lines = text.split(/\r*\n|\r/)
  const isRemark = (line: string): boolean => line.startsWith('#')
  // Most files aren't of this form in their first line.
  if (!lines.every((line) => VALUE.test(line) || CONTINUATION.test(line) || line.trim() === '' || isRemark(line)))
    return null
  const keys = new FirstKeys()
  for (const line of lines) keys.add(line)
  const first = keys.find()
  if (first === null) return null
  const isLdif = first.toLowerCase() === 'dn'
  if (!isLdif && lines.some(isRemark)) return null
  const records: KeyedRecord[] = []
  const collector = new RecordCollector(first, (record) => records.push(record))
  for (const line of lines) collector.add(line)
  collector.end()
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))]
  const values = records.reduce((sum, { size }) => sum + size, 0)
  const share = keys.blocksWith(first) < records.length ? FILLED_WITHOUT_BLANKS : FILLED
  const isEven = values >= records.length * names.length * share && values >= records.length * FEWEST_VALUES
  const { outside, continued } = collector.tally
  if (records.length < 2 || !isEven || outside * 2 > values || (continued > values && !isLdif)) return null
  const [[key, [value = '']]] = records[0]
  return {
    code: 'records',
    label: `Apply: a row for each “${first}”`,
    message: `Lines such as “${shortened(`${key}: ${value}`, SHOWN)}” have a key and its value. ${plural(names.length, 'key')} (${shortened(names.join(', '), SHOWN)}) would be columns, with a row for each “${first}”.`,
    change: { kind: 'reading', settings: { kind: 'csv', layout: 'records' } },
  }
}
