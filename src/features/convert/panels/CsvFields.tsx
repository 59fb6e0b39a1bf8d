import { useState } from 'react'
import type { CsvSettings } from '../../../tables/plan.ts'
import { Check, Field, Select, TextInput } from '../../../ui/Field.tsx'
import { NumberField, TypedInput } from './TypedInput.tsx'
import css from './Panel.module.css'

interface Props {
  readonly settings: CsvSettings
  /** @param typing wait until the typing pauses */
  readonly onChange: (patch: Partial<CsvSettings>, typing?: boolean) => void
}

const DELIMITERS = [
  { value: ',', label: 'Comma  ,' },
  { value: ';', label: 'Semicolon  ;' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe  |' },
  { value: ' ', label: 'Space' },
]

export function CsvFields({ settings, onChange }: Props) {
  return (
    <>
      <DelimiterField delimiter={settings.delimiter} onChange={(delimiter) => onChange({ delimiter })} />
      <Field label="Quote">
        {(ids) => (
          <Select
            {...ids}
            value={settings.quote ?? 'none'}
            options={[
              { value: '"', label: 'Double  "' },
              { value: "'", label: "Single  '" },
              { value: 'none', label: 'None' },
            ]}
            onChange={(value) => {
              const quote = value === 'none' ? null : value
              onChange({ quote, escape: quote === null ? null : settings.escape === '\\' ? '\\' : quote })
            }}
          />
        )}
      </Field>
      <Field label="A quote inside quotes is">
        {(ids) => (
          <Select
            {...ids}
            value={settings.escape === '\\' ? 'backslash' : 'doubled'}
            disabled={settings.quote === null}
            options={[
              { value: 'doubled', label: 'Doubled  ""' },
              { value: 'backslash', label: 'Escaped  \\"' },
            ]}
            onChange={(value) => onChange({ escape: value === 'backslash' ? '\\' : settings.quote })}
          />
        )}
      </Field>
      <NumberField
        label="Skip lines"
        value={settings.skipLines}
        onChange={(skipLines) => onChange({ skipLines }, true)}
      />
      <CommentField comment={settings.comment} onChange={(comment) => onChange({ comment }, true)} />
      <NullFields settings={settings} onChange={onChange} />
      <div className={css.checks}>
        <Check
          checked={settings.header}
          onChange={(header) => onChange({ header })}
          label="First row is the header"
          hint="Its fields name the columns."
        />
        <Check
          checked={settings.shortRows === 'pad'}
          onChange={(pad) => onChange({ shortRows: pad ? 'pad' : 'reject' })}
          label="Fill short rows with nulls"
          hint="Else rows with too few fields are kept apart."
        />
      </div>
    </>
  )
}

function DelimiterField({ delimiter, onChange }: { delimiter: string; onChange: (delimiter: string) => void }) {
  const known = DELIMITERS.some(({ value }) => value === delimiter)
  const [other, setOther] = useState(!known)
  return (
    <Field label="Delimiter">
      {(ids) => (
        <div className={css.joined}>
          <Select
            {...ids}
            value={other ? 'other' : delimiter}
            options={[...DELIMITERS, { value: 'other', label: 'Other' }]}
            onChange={(value) => {
              setOther(value === 'other')
              if (value !== 'other') onChange(value)
            }}
          />
          {other ? (
            <TextInput
              mono
              aria-label="Other delimiter"
              maxLength={1}
              defaultValue={known ? '' : delimiter}
              onChange={(value) => (value ? onChange(value) : undefined)}
            />
          ) : null}
        </div>
      )}
    </Field>
  )
}

function CommentField({ comment, onChange }: { comment: string | null; onChange: (comment: string | null) => void }) {
  return (
    <Field label="Comment lines begin with">
      {(ids) => (
        <TypedInput
          {...ids}
          mono
          placeholder="there are none"
          value={comment ?? ''}
          onChange={(text) => onChange(text === '' ? null : text)}
        />
      )}
    </Field>
  )
}

function NullFields({ settings, onChange }: Props) {
  const others = settings.nullStrings.filter((text) => text !== '')
  const withEmpty = settings.nullStrings.includes('')
  const set = (empty: boolean, texts: readonly string[], typing: boolean): void =>
    onChange({ nullStrings: empty ? ['', ...texts] : texts }, typing)
  return (
    <Field label="Null is" hint="With commas between; only where a field isn’t quoted">
      {(ids) => (
        <>
          <TypedInput
            {...ids}
            mono
            placeholder="such as NA, NULL"
            value={others.join(', ')}
            onChange={(text) =>
              set(
                withEmpty,
                text
                  .split(',')
                  .map((part) => part.trim())
                  .filter(Boolean),
                true,
              )
            }
          />
          <Check checked={withEmpty} onChange={(empty) => set(empty, others, false)} label="and an empty field" />
        </>
      )}
    </Field>
  )
}
