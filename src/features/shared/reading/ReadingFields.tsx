import { FORMATS, type FormatId } from '../../../contract/formats.ts'
import { encodingLabel, ENCODINGS } from '../../../tables/encodings.ts'
import type { Inspection, ReadSettings } from '../../../tables/plan.ts'
import { Button } from '../../../ui/Button.tsx'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { CsvFields } from './CsvFields.tsx'
import { JsonFields } from './JsonFields.tsx'
import { NestedFields } from './NestedFields.tsx'
import { XlsxFields } from './XlsxFields.tsx'
import css from '../Form.module.css'
import { settingsInForce, type InspectRequest } from '../../../tables/inspect-request.ts'

const FORMAT_OPTIONS = FORMATS.map(({ id, displayName }) => ({ value: id, label: displayName }))

interface Props {
  /** The last inspection. */
  readonly inspection: Inspection
  /** The person's settings for reading. */
  readonly request: InspectRequest
  readonly locked: boolean
  /** @param typing whether to wait until typing pauses */
  readonly onSettings: (patch: Partial<ReadSettings>, typing: boolean) => void
  readonly onFormat: (format: FormatId) => void
  /** Resets the settings to those detected. */
  readonly onReset: () => void
}

/** Settings for reading a file. After a change, it's read again. */
export function ReadingFields({ inspection, request, locked, onSettings, onFormat, onReset }: Props) {
  const settings = settingsInForce(request, inspection)
  const set = (patch: Partial<ReadSettings>, typing = false): void =>
    onSettings({ kind: settings.kind, ...patch } as Partial<ReadSettings>, typing)
  const changed = Object.keys(request).length > 0
  return (
    <fieldset className={css.form} disabled={locked}>
      <legend className="visually-hidden">How the file is read</legend>
      <SelectField label="Read as" value={inspection.format} options={FORMAT_OPTIONS} onChange={onFormat} />
      {settings.kind === 'csv' || settings.kind === 'json' ? (
        <EncodingField
          inspection={inspection}
          encoding={settings.encoding}
          onChange={(encoding) => set({ encoding })}
        />
      ) : null}
      {settings.kind === 'csv' ? <CsvFields settings={settings} onChange={set} /> : null}
      {settings.kind === 'json' ? (
        <>
          <JsonFields settings={settings} lists={inspection.lists ?? []} onChange={set} />
          <NestedFields inspection={inspection} request={request} onChange={set} />
        </>
      ) : null}
      {settings.kind === 'xlsx' ? <XlsxFields settings={settings} inspection={inspection} onChange={set} /> : null}
      {settings.kind !== 'csv' && settings.kind !== 'json' && settings.kind !== 'xlsx' ? (
        <p className={css.remark}>This format describes itself: there’s nothing to set.</p>
      ) : null}
      <div className={css.foot}>
        <Button size="small" disabled={!changed} onClick={onReset}>
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
  // JSON is always in a Unicode encoding.
  const offered = inspection.format === 'json' ? ENCODINGS.filter(({ of }) => of === 'Unicode') : ENCODINGS
  const names = new Set([...likely, { encoding }, ...offered].map((each) => each.encoding))
  const options = [...names].map((name) => ({
    value: name,
    label: `${encodingLabel(name)}${name === likely[0]?.encoding ? ' · likely' : ''}`,
  }))
  const sample = likely.find((candidate) => candidate.encoding === encoding)?.sample
  return (
    <SelectField
      label="Encoding"
      hint={sample ? <q className={css.sample}>{sample}</q> : undefined}
      value={encoding}
      options={options}
      onChange={onChange}
    />
  )
}
