import { plural } from '../../../lib/counts.ts'
import type { JsonList, JsonSettings } from '../../../tables/plan.ts'
import { Check, SelectField, TypedField } from '../../../ui/fields/Field.tsx'

/** Means each item of an array. */
const EACH = '*'

interface Props {
  readonly settings: JsonSettings
  /** Lists that may contain the rows. */
  readonly lists: readonly JsonList[]
  readonly onChange: (patch: Partial<JsonSettings>, typing?: boolean) => void
}

export function JsonFields({ settings, lists, onChange }: Props) {
  const { path, within = [], tables } = settings
  const several = Object.keys(tables ?? {}).length > 0
  const chosen = within.length > 0 || several ? '' : lists.findIndex((list) => list.path.join('/') === path.join('/'))
  return (
    <>
      {lists.length > 1 ? (
        <SelectField
          label="Rows are the items of"
          value={String(chosen)}
          disabled={several}
          options={[
            ...(chosen === '' || chosen < 0
              ? [{ value: String(chosen), label: several ? 'a list for each table' : 'another place' }]
              : []),
            ...lists.map((list, i) => ({ value: String(i), label: labelOf(list) })),
          ]}
          onChange={(value) => onChange({ layout: 'array', path: lists[Number(value)]?.path ?? [], within: [] })}
        />
      ) : null}
      <SelectField
        label="Layout"
        value={settings.layout}
        options={[
          { value: 'array', label: 'Array of objects' },
          { value: 'lines', label: 'One object a line' },
          { value: 'bulk', label: 'Elasticsearch bulk lines' },
          { value: 'records', label: 'Object of records' },
          { value: 'columns', label: 'Object of columns' },
        ]}
        onChange={(layout) => onChange({ layout })}
      />
      <TypedField
        label="Where the rows are"
        hint="Keys from the root, with slashes between: data/items, [1] for a list’s second item, or data/edges/*/node for what is within each item"
        mono
        placeholder="at the root"
        disabled={settings.layout === 'lines' || settings.layout === 'bulk' || several}
        value={placeOf(settings)}
        onChange={(text) => onChange(placeFrom(text), true)}
      />
      {settings.rows === 'arrays' ? (
        <Check
          checked={settings.header ?? false}
          onChange={(header) => onChange({ header })}
          label="The first list names the columns"
        />
      ) : null}
    </>
  )
}

const labelOf = ({ path, items, whole }: JsonList): string =>
  `${path.join('/')} (${whole ? plural(items, 'item') : `over ${plural(items, 'item')}`})`

/** The path to the rows, as typed. */
function placeOf({ path, within = [] }: JsonSettings): string {
  return (within.length === 0 ? path : [...path, EACH, ...within]).join('/')
}

function placeFrom(text: string): Pick<JsonSettings, 'path' | 'within'> {
  const keys = text.split('/').filter(Boolean)
  const each = keys.indexOf(EACH)
  return each < 0 ? { path: keys, within: [] } : { path: keys.slice(0, each), within: keys.slice(each + 1) }
}
