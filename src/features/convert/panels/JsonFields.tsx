import type { JsonSettings } from '../../../tables/plan.ts'
import { Field, Select } from '../../../ui/Field.tsx'
import { TypedInput } from './TypedInput.tsx'

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
      <Field label="Where the rows are" hint="Keys from the root, with slashes between: data/items">
        {(ids) => (
          <TypedInput
            {...ids}
            mono
            placeholder="at the root"
            disabled={settings.layout === 'lines'}
            value={settings.path.join('/')}
            onChange={(text) => onChange({ path: text.split('/').filter(Boolean) }, true)}
          />
        )}
      </Field>
    </>
  )
}
