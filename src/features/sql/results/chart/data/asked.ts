import type { ResultSet } from '../../../../../engine/client.ts'
import type { ChartSpec } from '../../../types.ts'
import type { Field } from '../model/fields.ts'
import type { Axis, ChartData } from './chart-data.ts'
import type { ChartSource, Profile, Role } from './source.ts'

export interface LoadRequest {
  readonly spec: ChartSpec
  readonly fields: readonly Field[]
  readonly source: ChartSource
  /** Its rows are drawn where a chart draws rows. */
  readonly result: ResultSet
  readonly signal: AbortSignal
}

/** A request, with its fields by encoding. */
export interface Asked extends LoadRequest {
  readonly x: Used | null
  readonly y: Used | null
  readonly color: Used | null
  readonly used: readonly Used[]
  readonly roles: readonly Role[]
  readonly profile: Profile
}

export interface Used {
  readonly field: Field
  readonly role: Role
  /** Index of the role. */
  readonly at: number
}

/** Finds an encoding's columns, and looks at what they hold. */
export async function asked(request: LoadRequest): Promise<Asked> {
  const { spec, fields, source, signal } = request
  const used: Used[] = []
  const use = (key: string | null, as: (field: Field) => Role['as']): Used | null => {
    const field = fields.find((each) => each.key === key)
    if (!field) return null
    const one = { field, role: { column: field.column, as: as(field) }, at: used.length }
    used.push(one)
    return one
  }
  const isCells = spec.mark === 'heatmap'
  const x = use(spec.x, spec.mark === 'box' ? () => 'text' : naturalRole)
  const y = use(spec.y, spec.mark === 'scatter' || isCells ? naturalRole : () => 'number')
  const color = use(spec.color, isCells ? () => 'number' : () => 'text')
  const profile = await source.profile(roleList(used), signal)
  // Whole numbers beyond what a double holds: two of them would be one place, so each stands by its digits.
  const exact = [x, isCells ? y : null].filter((each) => each !== null && isBeyond(each, profile))
  const final = used.map((each) =>
    exact.includes(each) ? { ...each, role: { ...each.role, as: 'text' as const } } : each,
  )
  const again = (one: Used | null): Used | null => (one ? (final[one.at] ?? null) : null)
  const isBar = spec.mark === 'bar' || isCells
  return isBar
    ? { ...request, x: again(x), y: again(y), color, used: final, roles: roleList(final), profile }
    : { ...request, x, y, color, used, roles: roleList(used), profile }
}

const roleList = (used: readonly Used[]): Role[] => used.map(({ role }) => role)

function naturalRole({ kind }: Field): Role['as'] {
  if (kind === 'time') return 'time'
  return kind === 'number' || kind === 'integer' ? 'number' : 'text'
}

function isBeyond({ field, at }: Used, profile: Profile): boolean {
  const { min = 0, max = 0 } = profile.roles[at] ?? {}
  return field.kind === 'integer' && Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)) > Number.MAX_SAFE_INTEGER
}

export const NO_AXIS: Axis = { label: '', kind: 'number', domain: [], ordered: true }

/** A chart without anything in it. */
export function nothing({ spec, profile, source }: Asked, notes: readonly string[]): ChartData {
  return {
    spec,
    x: NO_AXIS,
    y: NO_AXIS,
    measure: '',
    series: [],
    seriesLabel: null,
    points: [],
    boxes: [],
    notes,
    rows: profile.rows,
    drawn: 0,
    place: source.place,
  }
}
