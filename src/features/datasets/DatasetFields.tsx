import Globe from 'lucide-react/icons/globe'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import { Choices } from '../../ui/fields/Choices.tsx'
import { Field, TextAreaField, TextField } from '../../ui/fields/Field.tsx'
import { TagInput } from '../../ui/fields/TagInput.tsx'
import type { DatasetValues } from './model/draft.ts'
import { countTags } from './model/filters.ts'
import { useEntries } from './queries.ts'
import css from './DatasetFields.module.css'

/** Who can read a dataset, with an explanation. */
const VISIBILITIES = [
  {
    value: 'private',
    label: 'Private',
    hint: 'Only keys of this workspace that may read it.',
    icon: <LockKeyhole aria-hidden />,
  },
  {
    value: 'public',
    label: 'Public',
    hint: 'Anyone with a key of this service, of any workspace, can read all of it.',
    icon: <Globe aria-hidden />,
  },
] as const

interface Props {
  readonly values: DatasetValues
  /** Errors of the values. */
  readonly errors: { readonly [Key in keyof DatasetValues]?: string | null | undefined }
  readonly disabled: boolean
  readonly nameHint?: string
  readonly onChange: (change: Partial<DatasetValues>) => void
}

/** Fields for a dataset's name, description, tags and visibility. */
export function DatasetFields({ values, errors, disabled, nameHint, onChange }: Props) {
  const { data } = useEntries()
  return (
    <fieldset className={css.fields} disabled={disabled}>
      <TextField
        label="Name"
        error={errors.name}
        hint={nameHint}
        data-field="dataset-name"
        required
        maxLength={140}
        value={values.name}
        onChange={(name) => onChange({ name })}
      />
      <Field label="Tags" error={errors.tags}>
        {(ids) => (
          <TagInput
            ids={ids}
            tags={values.tags}
            suggestions={countTags(data ?? []).map(({ tag }) => tag)}
            disabled={disabled}
            onChange={(tags) => onChange({ tags })}
          />
        )}
      </Field>
      <TextAreaField
        label="Description"
        error={errors.description}
        className={css.wide}
        maxLength={2000}
        placeholder="What is in it, where it’s from"
        value={values.description}
        onChange={(description) => onChange({ description })}
      />
      <div className={css.wide}>
        <Choices
          label="Visibility"
          value={values.visibility}
          choices={VISIBILITIES}
          error={errors.visibility}
          onChange={(visibility) => onChange({ visibility })}
        />
      </div>
    </fieldset>
  )
}
