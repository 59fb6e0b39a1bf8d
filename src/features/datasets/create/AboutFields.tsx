import { Choices } from '../../../ui/Choices.tsx'
import { Field, TextArea, TextInput } from '../../../ui/Field.tsx'
import { TagInput } from '../../../ui/TagInput.tsx'
import { useDatasets } from '../context.tsx'
import { countTags } from '../model/filters.ts'
import { nameProblem } from '../model/names.ts'
import { useEntries } from '../queries.ts'
import type { Creation, Spot } from '../store/creation.ts'
import { VISIBILITIES } from '../visibilities.tsx'
import css from './Create.module.css'

/** What the dataset is called, what it's about, and who may read it. */
export function AboutFields({ state, disabled }: { readonly state: Creation; readonly disabled: boolean }) {
  const { creation } = useDatasets()
  const { draft, problem } = state
  const { data } = useEntries()
  const said = (spot: Spot): string | null => (problem?.spot === spot ? problem.problem.message : null)
  const wrong = draft.name === '' ? null : nameProblem(draft.name)
  return (
    <div className={css.about}>
      <Field label="Name" error={said('name') ?? wrong}>
        {(ids) => (
          <TextInput
            {...ids}
            data-field="dataset-name"
            required
            maxLength={140}
            value={draft.name}
            disabled={disabled}
            onChange={(name) => creation.setName(name)}
          />
        )}
      </Field>
      <Field label="Tags" error={said('tags')}>
        {(ids) => (
          <TagInput
            ids={ids}
            tags={draft.tags}
            suggestions={countTags(data ?? []).map(({ tag }) => tag)}
            disabled={disabled}
            onChange={(tags) => creation.setDetails({ tags })}
          />
        )}
      </Field>
      <Field label="Description" error={said('description')} className={css.wide}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            maxLength={2000}
            placeholder="What is in it, where it’s from"
            value={draft.description}
            disabled={disabled}
            onChange={(description) => creation.setDetails({ description })}
          />
        )}
      </Field>
      <div className={css.wide}>
        <Choices
          label="Visibility"
          value={draft.visibility}
          choices={VISIBILITIES}
          disabled={disabled}
          error={said('visibility')}
          onChange={(visibility) => creation.setDetails({ visibility })}
        />
      </div>
    </div>
  )
}
