import type { JsonSettings } from '../../../tables/plan.ts'
import { Check, Field, Select, TypedInput } from '../../../ui/fields/Field.tsx'

/** Stands for each item of an array. */
const EACH = '*'

interface Props {
  readonly settings: JsonSettings
  readonly onChange: (patch: Partial<JsonSettings>, typing?: boolean) => void
}

export function JsonFields({ settings, onChange }: Props) {
  return (
    <>
      <Field label="Layout">
        {(ids) => (
          <Select
            {...ids}
            value={settings.layout}
            options={[
              { value: 'array', label: 'Array of objects' },
              { value: 'lines', label: 'One object a line' },
              { value: 'columns', label: 'Object of columns' },
            ]}
            onChange={(layout) => onChange({ layout })}
          />
        )}
      </Field>
      <Field
        label="Where the rows are"
        hint="Keys from the root, with slashes between: data/items, or data/edges/*/node for what is within each item"
      >
        {(ids) => (
          <TypedInput
            {...ids}
            mono
            placeholder="at the root"
            disabled={settings.layout === 'lines'}
            value={placeOf(settings)}
            onChange={(text) => onChange(placeFrom(text), true)}
          />
        )}
      </Field>
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

/** The place of the rows as it is typed. */
function placeOf({ path, within = [] }: JsonSettings): string {
  return (within.length === 0 ? path : [...path, EACH, ...within]).join('/')
}

function placeFrom(text: string): Pick<JsonSettings, 'path' | 'within'> {
  const keys = text.split('/').filter(Boolean)
  const each = keys.indexOf(EACH)
  return each < 0 ? { path: keys, within: [] } : { path: keys.slice(0, each), within: keys.slice(each + 1) }
}
