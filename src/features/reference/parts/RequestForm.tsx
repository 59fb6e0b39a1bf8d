import { useId } from 'react'
import type { DatasetSummary } from '../../../api/client.ts'
import { Field, Select, SelectField, TextArea, TextInput } from '../../../ui/fields/Field.tsx'
import type { ReferenceOperation, ReferenceParameter } from '../model/document.ts'
import { fill, type Draft, type Known } from '../model/drafts.ts'
import css from './TryIt.module.css'

interface Props {
  readonly operation: ReferenceOperation
  readonly draft: Draft
  readonly datasets: readonly DatasetSummary[]
  readonly known: Known
  readonly onChange: (draft: Draft) => void
}

/** Fields for the parts of a request. */
export function RequestForm({ operation, draft, datasets, known, onChange }: Props) {
  return (
    <>
      {operation.parameters.map((parameter) => {
        const group = parameter.place === 'path' ? 'params' : 'query'
        return (
          <Parameter
            key={`${group} ${parameter.name}`}
            parameter={parameter}
            value={draft[group][parameter.name] ?? ''}
            datasets={datasets}
            onChange={(value) => onChange({ ...draft, [group]: { ...draft[group], [parameter.name]: value } })}
          />
        )
      })}
      {draft.body === null ? null : (
        <Body operation={operation} body={draft.body} known={known} onChange={(body) => onChange({ ...draft, body })} />
      )}
    </>
  )
}

interface ParameterProps {
  readonly parameter: ReferenceParameter
  readonly value: string
  readonly datasets: readonly DatasetSummary[]
  readonly onChange: (value: string) => void
}

function Parameter({ parameter, value, datasets, onChange }: ParameterProps) {
  const { name, required, values, example } = parameter
  const list = useId()
  const offered = name === 'datasetId' ? datasets.slice(0, 100) : []
  const label = required ? name : `${name} (optional)`
  return (
    <Field label={label} hint={offered.length > 0 ? 'Type, or choose one of your datasets.' : undefined}>
      {(ids) =>
        values.length > 0 ? (
          <Select
            {...ids}
            value={value}
            options={[{ value: '', label: 'Leave out' }, ...values.map((one) => ({ value: one, label: one }))]}
            onChange={onChange}
          />
        ) : (
          <>
            <TextInput {...ids} mono value={value} placeholder={example} list={list} onChange={onChange} />
            <datalist id={list}>
              {offered.map((dataset) => (
                <option key={dataset.id} value={dataset.id}>
                  {dataset.name}
                </option>
              ))}
            </datalist>
          </>
        )
      }
    </Field>
  )
}

interface BodyProps {
  readonly operation: ReferenceOperation
  readonly body: string
  readonly known: Known
  readonly onChange: (body: string) => void
}

function Body({ operation, body, known, onChange }: BodyProps) {
  const examples = operation.body?.examples ?? []
  const options = examples.map(({ name, summary }) => ({ value: name, label: summary }))
  return (
    <>
      {examples.length > 1 ? (
        <SelectField
          label="Begin with the example"
          value=""
          options={[{ value: '', label: 'Choose…' }, ...options]}
          onChange={(chosen) => {
            const example = examples.find(({ name }) => name === chosen)
            if (example) onChange(JSON.stringify(fill(example.value, known), null, 2))
          }}
        />
      ) : null}
      <Field label="Body">
        {(ids) => (
          <TextArea
            {...ids}
            className={css.body}
            rows={Math.min(18, Math.max(5, body.split('\n').length))}
            value={body}
            onChange={onChange}
          />
        )}
      </Field>
    </>
  )
}
