import { FORMATS } from '../../../contract/formats.ts'
import type { Inspection, ReadSettings } from '../../../tables/plan.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field, Select } from '../../../ui/Field.tsx'
import { useConvert } from '../context.tsx'
import { isBusy, settingsInForce, type Job } from '../model/job.ts'
import { encodingLabel, ENCODINGS } from '../../../tables/encodings.ts'
import { CsvFields } from './CsvFields.tsx'
import { JsonFields } from './JsonFields.tsx'
import { XlsxFields } from './XlsxFields.tsx'
import css from './Panel.module.css'

const FORMAT_OPTIONS = FORMATS.map(({ id, displayName }) => ({ value: id, label: displayName }))

interface Props {
  readonly job: Job
  readonly inspection: Inspection
}

/** How the file is read. A change reads it again. */
export default function ReadingPanel({ job, inspection }: Props) {
  const { store } = useConvert()
  const locked = isBusy(job)
  const settings = settingsInForce(job, inspection)
  const set = (patch: Partial<ReadSettings>, typing = false): void =>
    store.setSettings(job.id, { kind: settings.kind, ...patch } as Partial<ReadSettings>, typing)
  const changed = Object.keys(job.request).length > 0
  return (
    <fieldset className={css.form} disabled={locked}>
      <legend className="visually-hidden">How the file is read</legend>
      <Field label="Read as">
        {(ids) => (
          <Select
            {...ids}
            value={inspection.format}
            options={FORMAT_OPTIONS}
            onChange={(format) => store.setFormat(job.id, format)}
          />
        )}
      </Field>
      {settings.kind === 'csv' || settings.kind === 'json' ? (
        <EncodingField
          inspection={inspection}
          encoding={settings.encoding}
          onChange={(encoding) => set({ encoding })}
        />
      ) : null}
      {settings.kind === 'csv' ? <CsvFields settings={settings} onChange={set} /> : null}
      {settings.kind === 'json' ? <JsonFields settings={settings} onChange={set} /> : null}
      {settings.kind === 'xlsx' ? <XlsxFields settings={settings} inspection={inspection} onChange={set} /> : null}
      {settings.kind !== 'csv' && settings.kind !== 'json' && settings.kind !== 'xlsx' ? (
        <p className={css.remark}>This format says itself how it’s read: there’s nothing to set.</p>
      ) : null}
      <div className={css.formFoot}>
        <Button size="small" disabled={!changed} onClick={() => store.resetSettings(job.id)}>
          Back to what was detected
        </Button>
        <span>{changed ? 'Some of this was set by you.' : 'All of this was detected from the whole file.'}</span>
      </div>
    </fieldset>
  )
}

interface EncodingProps {
  readonly inspection: Inspection
  readonly encoding: string
  readonly onChange: (encoding: string) => void
}

function EncodingField({ inspection, encoding, onChange }: EncodingProps) {
  const likely = inspection.encodings ?? []
  // JSON is Unicode.
  const offered = inspection.format === 'json' ? ENCODINGS.filter(({ of }) => of === 'Unicode') : ENCODINGS
  const names = new Set([...likely, { encoding }, ...offered].map((each) => each.encoding))
  const options = [...names].map((name) => ({
    value: name,
    label: `${encodingLabel(name)}${name === likely[0]?.encoding ? ' · likely' : ''}`,
  }))
  const sample = likely.find((candidate) => candidate.encoding === encoding)?.sample
  return (
    <Field label="Encoding" hint={sample ? <q className={css.sample}>{sample}</q> : undefined}>
      {(ids) => <Select {...ids} value={encoding} options={options} onChange={onChange} />}
    </Field>
  )
}
