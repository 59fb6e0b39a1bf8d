import type { ResultSet } from '../../../../../engine/client.ts'
import type { ChartSpec } from '../../../types.ts'
import { scaleOf, type Field } from '../model/fields.ts'
import { type Axis, type ChartData, OTHERS } from './chart-data.ts'
import type { ChartSource, Profile, Role, GroupKey } from './source.ts'
import { formatCount, plural } from '../../../../../ui/format.ts'
import { inOrder } from '../model/labels.ts'

export interface ChartRequest {
  readonly spec: ChartSpec
  readonly fields: readonly Field[]
  readonly source: ChartSource
  /** Used for charts that draw single rows. */
  readonly result: ResultSet
  readonly signal: AbortSignal
}

/** A request with the field and the profile of each encoding (x, y, color, size). */
export interface EncodedRequest extends ChartRequest {
  readonly x: Encoded | null
  readonly y: Encoded | null
  readonly color: Encoded | null
  readonly size: Encoded | null
  readonly used: readonly Encoded[]
  readonly roles: readonly Role[]
  readonly profile: Profile
}

export interface Encoded {
  readonly field: Field
  readonly role: Role
  /** Index of the role. */
  readonly at: number
}

/**
 * Finds the column of each encoding, and profiles their values.
 * @param places how to read X, if that's already known
 */
export async function encode(given: ChartRequest, spec = given.spec, places?: Role['as']): Promise<EncodedRequest> {
  const request = { ...given, spec }
  const { fields, source, signal } = request
  const used: Encoded[] = []
  const use = (key: string | null, as: (field: Field) => Role['as'], isArea = false): Encoded | null => {
    const field = fields.find((each) => each.key === key)
    if (!field) return null
    const one = { field, role: { column: field.column, as: as(field), isArea }, at: used.length }
    used.push(one)
    return one
  }
  const isCells = spec.mark === 'heatmap'
  const x = use(spec.x, spec.mark === 'box' ? () => 'text' : (field) => places ?? naturalRole(field))
  const y = use(spec.y, spec.mark === 'scatter' || isCells ? naturalRole : () => 'number')
  const color = use(spec.color, isCells ? () => 'number' : () => 'text')
  const size = use(spec.size ?? null, () => 'number', true)
  const profile = await source.profile(roleList(used), signal)
  // Doubles can't distinguish such large integers, so they're placed by their digits.
  const exact = [x, isCells ? y : null].filter((each) => each !== null && isBeyond(each, profile))
  const final = used.map((each) =>
    exact.includes(each) ? { ...each, role: { ...each.role, as: 'text' as const } } : each,
  )
  const again = (one: Encoded | null): Encoded | null => (one ? (final[one.at] ?? null) : null)
  const isBar = spec.mark === 'bar' || isCells
  return isBar
    ? { ...request, x: again(x), y: again(y), color, size, used: final, roles: roleList(final), profile }
    : { ...request, x, y, color, size, used, roles: roleList(used), profile }
}

const roleList = (used: readonly Encoded[]): Role[] => used.map(({ role }) => role)

function naturalRole({ kind }: Field): Role['as'] {
  if (kind === 'time') return 'time'
  return kind === 'number' || kind === 'integer' ? 'number' : 'text'
}

const isBeyond = (one: Encoded, profile: Profile): boolean =>
  one.field.kind === 'integer' && greatestOf(one, profile) > Number.MAX_SAFE_INTEGER

/** Whether a double may not have all digits of a column's exact numbers that are as great as this. */
export function hasMoreDigits({ field }: Encoded, greatest: number): boolean {
  const scale = scaleOf(field)
  if (field.kind !== 'integer' && scale === null) return false
  return greatest * 10 ** (scale ?? 0) > Number.MAX_SAFE_INTEGER
}

export function greatestOf({ at }: Encoded, { roles }: Profile): number {
  const { min, max } = roles[at] ?? {}
  return Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0))
}

export const NO_AXIS: Axis = { label: '', kind: 'number', domain: [], ordered: true }

export function emptyChart({ spec, profile, source }: EncodedRequest, notes: readonly string[]): ChartData {
  return {
    spec,
    x: NO_AXIS,
    y: NO_AXIS,
    measure: '',
    series: [],
    seriesLabel: null,
    sizeLabel: null,
    byMeasure: false,
    right: null,
    points: [],
    boxes: [],
    notes,
    rows: profile.rows,
    drawn: 0,
    place: source.place,
  }
}

/** Notes for the caption: which rows aren't drawn, and which columns have more digits than a double. */
export function dataNotes(used: readonly Encoded[], profile: Profile): string[] {
  const rounded = used.filter((each) => each.role.as === 'number' && hasMoreDigits(each, greatestOf(each, profile)))
  return [
    ...leftOutNotes(used, profile),
    ...rounded.map(
      ({ field }) => `${field.key} has numbers of more than 15 digits, which a chart and its table round.`,
    ),
  ]
}

function leftOutNotes(used: readonly Encoded[], { roles, rows, drawn }: Profile): string[] {
  if (rows === 0 || drawn === rows) return []
  const reasons = used.flatMap(({ field, role }, i) => {
    const { nulls = 0, odd = 0 } = roles[i] ?? {}
    const noNumber = role.isArea ? '0, negative or not finite' : 'NaN or infinite'
    const what = field.kind === 'time' ? 'infinite or too far away' : noNumber
    return [
      ...(nulls > 0 ? [`${field.key} is null in ${formatCount(nulls)}`] : []),
      ...(odd > 0 ? [`${field.key} is ${what} in ${formatCount(odd)}`] : []),
    ]
  })
  return [`${plural(rows - drawn, 'row isn’t', 'rows aren’t')} drawn: ${reasons.join(', ')}.`]
}

/** Number of colors. */
const SERIES = 8

interface Series {
  readonly key: GroupKey
  readonly names: readonly string[]
  readonly note: string | null
}

/** Chooses the values that get colors of their own; the others share a series. */
export async function seriesOf({ source, roles, signal }: EncodedRequest, { at, field }: Encoded): Promise<Series> {
  const { distinct, top } = await source.rank({ roles, role: at, measure: null, limit: SERIES }, signal)
  const folds = distinct > SERIES
  const values = folds ? top.slice(0, SERIES - 1) : top
  return {
    key: { role: at, bins: null, only: folds ? { values, rest: 'fold' } : null },
    names: folds ? [...inOrder(values), OTHERS] : inOrder(values),
    note: folds
      ? `The ${values.length} most frequent of ${formatCount(distinct)} values of ${field.key} have a color of their own; the rest are “Others”.`
      : null,
  }
}
