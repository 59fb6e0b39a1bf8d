import type { Proposal, ValueFormat } from '../../../tables/plan.ts'
import { printType, scalar, type ColumnType } from '../../../tables/types.ts'
import { unify } from '../../../tables/combine/unify.ts'
import { plural } from '../../../lib/counts.ts'
import { ColumnInference } from './column-inference.ts'
import { typeOf } from './conclude.ts'
import { countOf, type Choice, type Conventions, type Findings, type TypeFound } from './findings.ts'
import * as kinds from './kinds.ts'
import { told } from './rewritten.ts'
import { nullWord, sentence } from '../../../tables/meaning.ts'
import { quote } from './sentences.ts'

/**
 * What a column's texts may be beside what they surely are.
 * @param others the type of its values that are no texts, if there are such
 */
export function proposalsOf(
  findings: Findings,
  conventions: Conventions,
  found: TypeFound,
  others?: ColumnType,
): Proposal[] {
  const count = countOf(findings)
  if (count === 0) return []
  const choices = [...(found.choices ?? []), ...wholeNumbers(findings, count, found)]
  return [...proposedAll(choices, count, others), ...cleaned(findings, conventions, found, others)]
}

const proposedAll = (choices: readonly Choice[], count: number, others: ColumnType | undefined): Proposal[] =>
  choices.flatMap((choice) => beside(choice, others) ?? []).map((choice) => proposed(choice, count))

/** What reads texts and the values beside them alike, which are in the standard form of their type; null for nothing. */
function beside<T extends Pick<TypeFound, 'type' | 'format'>>(found: T, others: ColumnType | undefined): T | null {
  if (!others) return found
  const { format = {} } = found
  const { decimalMark, grouping, trueValues, falseValues } = format
  const type = unify([found.type, others])
  if (printType(type) === 'VARCHAR' || decimalMark === ',' || grouping === '.') return null
  if (!trueValues || !falseValues) return { ...found, type }
  return {
    ...found,
    format: { ...format, trueValues: [...trueValues, 'true'], falseValues: [...falseValues, 'false'] },
  }
}

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['DATE', 'dates'],
  ['TIME', 'times of day'],
  ['TIMESTAMP', 'dates with times'],
  ['BOOLEAN', 'true or false'],
  ['INTEGER', 'whole numbers'],
  ['BIGINT', 'whole numbers'],
])
const typeWords = (type: ColumnType): string => TYPE_WORDS.get(printType(type)) ?? 'numbers'

/** A choice as a button. */
function proposed({ code, type, format, from, words, ambiguous }: Choice, count: number): Proposal {
  const { example } = told(count, from, type, format, (to) => to)
  const said = words?.(example?.to ?? from) ?? example?.to ?? from
  return {
    code,
    label: `Apply: ${said}`,
    message: `${plural(count, 'value')} would become ${typeWords(type)}, such as ${quote(from)}: ${said}.`,
    count,
    ...(example ? { example } : {}),
    change: { kind: 'column', patch: { type: printType(type), format } },
    ...(ambiguous ? { ambiguous } : {}),
  }
}

/** What whole numbers may stand for: yes and no, or moments. */
function wholeNumbers({ counts, numbers, firstTexts }: Findings, count: number, found: TypeFound): Choice[] {
  if (counts[kinds.INTEGER] < count || found.format) return []
  const from = firstTexts[kinds.INTEGER]
  if (numbers.bits === 3 && !numbers.negative) {
    const format = { trueValues: ['1'], falseValues: ['0'] }
    const words = (): string => '1 is true, 0 is false'
    return [{ code: 'booleans', type: scalar('BOOLEAN'), format, from, words, ambiguous: true }]
  }
  if (numbers.days === count) {
    return [{ code: 'dates', type: scalar('DATE'), format: { dateFormat: '%Y%m%d' }, from, ambiguous: true }]
  }
  const unit = numbers.seconds === count ? '%s' : numbers.milliseconds === count ? '%Q' : null
  if (unit === null || numbers.negative) return []
  const words = (value: string): string => `${value} (${unit === '%s' ? 'seconds' : 'milliseconds'} since 1970)`
  const format = { dateFormat: unit }
  return [{ code: 'epoch', type: scalar('TIMESTAMP'), format, from, words, ambiguous: true }]
}

/** What the values are without spaces around them, and with words such as N/A as null. */
function cleaned(
  findings: Findings,
  conventions: Conventions,
  found: TypeFound,
  others: ColumnType | undefined,
): Proposal[] {
  const { nullLike, spaced } = findings
  const words = [...new Set([...nullLike.keys(), ...(spaced?.findings.nullLike.keys() ?? [])])]
  if (words.length === 0 && !spaced) return []
  const tries = [
    ...(nullLike.size > 0 ? [{ nulls: [...nullLike.keys()], trim: false }] : []),
    ...(spaced ? [{ nulls: [] as string[], trim: true }] : []),
    ...(spaced && words.length > 0 ? [{ nulls: words, trim: true }] : []),
  ]
  for (const { nulls, trim } of tries) {
    const rest = clean(findings, nulls.length > 0, trim)
    const format = { ...(nulls.length > 0 ? { nullValues: nulls } : {}), ...(trim ? { trim } : {}) }
    const count = countOf(rest)
    if (count === 0) {
      if (others) return [cleaning(findings, format, { type: others })]
      continue
    }
    const { choices, ...better } = typeOf(rest, 'text', conventions)
    const known = printType(better.type) === 'VARCHAR' ? null : beside(better, others)
    if (known) return [cleaning(findings, format, known)]
    if (choices) {
      return proposedAll(
        choices.map((choice) => ({ ...choice, format: { ...choice.format, ...format } })),
        count,
        others,
      )
    }
  }
  if (printType(found.type) !== 'VARCHAR') return []
  // An empty text among texts is one.
  const nullValues = [...nullLike.keys()].filter((word) => word !== '')
  return [
    ...(spaced ? [cleaning(findings, { trim: true })] : []),
    ...(nullValues.length > 0 ? [cleaning(findings, { nullValues })] : []),
  ]
}

function cleaning(findings: Findings, format: ValueFormat, better?: Pick<TypeFound, 'type' | 'format'>): Proposal {
  const { nullValues = [], trim } = format
  const { spaced } = findings
  const nulls = nullValues.reduce((sum, word) => sum + nullsOf(findings, word), 0)
  const named = nullValues.map(nullWord).join(', ')
  const label = [
    ...(nullValues.length > 0 ? [`${named} is null`] : []),
    ...(trim ? ['trim spaces'] : []),
    ...(better ? [typeWords(better.type)] : []),
  ].join(', ')
  const what = [
    ...(nullValues.length > 0 ? [`${named} (${plural(nulls, 'value')}) would be null`] : []),
    ...(trim
      ? [`${plural(spaced?.count ?? 0, 'value')} would lose the spaces around ${spaced?.count === 1 ? 'it' : 'them'}`]
      : []),
  ].join(', and ')
  const rest = better ? `; the values are ${typeWords(better.type)} then` : ''
  const from = nullValues[0] ?? spaced?.text ?? ''
  // A text that is NA may be a name, or a country.
  const ambiguous = !better && nullValues.some((word) => /^na$/i.test(word))
  return {
    code: nullValues.length > 0 ? 'null-words' : 'spaces',
    label: `Apply: ${label}`,
    message: `${sentence(what)}${rest}.`,
    count: nulls + (trim ? (spaced?.count ?? 0) : 0),
    example: { from, to: nullValues.length > 0 ? 'null' : from.trim() },
    change: {
      kind: 'column',
      patch: { ...(better ? { type: printType(better.type) } : {}), format: { ...better?.format, ...format } },
    },
    ...(ambiguous ? { ambiguous } : {}),
  }
}

const nullsOf = ({ nullLike, spaced }: Findings, word: string): number =>
  (nullLike.get(word) ?? 0) + (spaced?.findings.nullLike.get(word) ?? 0)

/** The findings as they'd be without words that stand for null, and without spaces around values. */
function clean(findings: Findings, nulls: boolean, trim: boolean): Findings {
  const whole = new ColumnInference()
  whole.merge(without(findings, nulls, trim), 0)
  if (trim && findings.spaced) whole.merge(without(findings.spaced.findings, nulls, trim), 0)
  return whole.findings()
}

function without(findings: Findings, nulls: boolean, trim: boolean): Findings {
  const words = nulls ? [...findings.nullLike.values()].reduce((sum, each) => sum + each, 0) : 0
  const counts = findings.counts.slice()
  counts[kinds.TEXT] -= words + (trim ? (findings.spaced?.count ?? 0) : 0)
  return {
    ...findings,
    counts,
    nulls: findings.nulls + words,
    ...(nulls ? { nullLike: new Map<string, number>() } : {}),
    ...(trim ? { spaced: null } : {}),
  }
}
