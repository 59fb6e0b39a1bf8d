import { useState } from 'react'
import type { CsvSettings } from '../../../tables/plan.ts'
import { csvTable } from '../../../tables/settings.ts'
import { byHand, csvPatch } from '../../../tables/inspect-request.ts'
import { CheckedField, NumberField } from '../../../ui/fields/CheckedField.tsx'
import { Check, Field, Select, SelectField, TypedField, TypedInput } from '../../../ui/fields/Field.tsx'
import { numberProblem } from '../../../ui/fields/mistyped.ts'
import { RowsField } from './RowsField.tsx'
import css from '../Form.module.css'
import { joinWithCommas, splitAtCommas } from '../../../lib/text.ts'

interface Props {
  readonly settings: CsvSettings
  /** @param typing whether to wait until typing pauses */
  readonly onChange: (patch: Partial<CsvSettings>, typing?: boolean) => void
}

const DELIMITERS = [
  { value: ',', label: 'Comma  ,' },
  { value: ';', label: 'Semicolon  ;' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe  |' },
  { value: ' ', label: 'Space' },
]

const NUMBER_STYLES = ['1,234.56', '1.234,56', '1 234,56', "1'234.56"] as const

const LAYOUTS = [
  { value: 'delimited', label: 'Delimited' },
  { value: 'frame', label: 'Drawn table  | a | b |' },
  { value: 'fixed', label: 'Fixed width' },
  { value: 'eurostat', label: 'Eurostat’s TSV  a,b  1.2 p' },
  { value: 'records', label: 'Records  Key: value' },
] as const

export function CsvFields({ settings, onChange }: Props) {
  const { layout = 'delimited' } = settings
  /** With several tables, these are set for each table at its rows. */
  const isOne = settings.tables === undefined
  const tables = settings.tables ? Object.keys(settings.tables) : [null]
  return (
    <>
      <SelectField label="Layout" value={layout} options={LAYOUTS} onChange={(value) => onChange({ layout: value })} />
      {layout === 'fixed' ? (
        <StartsField
          starts={settings.columnStarts ?? []}
          onChange={(columnStarts) => onChange({ columnStarts }, true)}
        />
      ) : (
        <DelimiterField delimiter={settings.delimiter} onChange={(delimiter) => onChange({ delimiter })} />
      )}
      {layout === 'delimited' ? <QuoteFields settings={settings} onChange={onChange} /> : null}
      {isOne ? (
        <NumberField
          label="Skip lines"
          value={settings.skipLines}
          onChange={(skipLines) => onChange({ skipLines }, true)}
        />
      ) : null}
      <CommentField comment={settings.comment} onChange={(comment) => onChange({ comment }, true)} />
      <NumbersField numbers={settings.numbers} onChange={onChange} />
      <NullFields settings={settings} onChange={onChange} />
      {isOne ? <TableFields settings={settings} onChange={onChange} /> : null}
      <WidthFields settings={settings} onChange={onChange} />
      <div className={css.checks}>
        <Check
          checked={settings.blocks === true}
          onChange={(blocks) => onChange({ blocks })}
          label="Several tables"
          hint="Each block of lines between blank ones."
        />
        {isOne ? (
          <>
            <Check
              checked={settings.header}
              onChange={(header) => onChange({ header })}
              label="First row is the header"
              hint="Its fields name the columns."
            />
            <Check
              checked={settings.rowNames === true}
              disabled={!settings.header}
              onChange={(rowNames) => onChange({ rowNames })}
              label="The header lacks a first name"
              hint="As R writes row names."
            />
          </>
        ) : null}
        {layout === 'delimited' ? (
          <>
            <Check
              checked={settings.trim === true}
              onChange={(trim) => onChange({ trim })}
              label="Trim blanks around fields"
              hint="Only if a field isn’t quoted."
            />
            <Check
              checked={settings.blankRows === 'leave-out'}
              onChange={(out) => onChange({ blankRows: out ? 'leave-out' : 'keep' })}
              label="Leave out blank rows"
              hint="Rows with delimiters alone, or one column’s blank lines."
            />
            <Check
              checked={settings.mergeDelimiters === true}
              onChange={(mergeDelimiters) => onChange({ mergeDelimiters })}
              label="Merge delimiters in a row"
              hint="For columns that are lined up with blanks or tabs."
            />
            {tables.map((table) => (
              <Check
                key={table}
                checked={csvTable(settings, table).leaveOutSubtotals === true}
                onChange={(leaveOutSubtotals) => onChange(csvPatch(table, { leaveOutSubtotals }))}
                label={`Leave out subtotals${table === null ? '' : ` of ${table}`}`}
                hint="Rows with the sums of the rows above."
              />
            ))}
          </>
        ) : null}
      </div>
    </>
  )
}

function QuoteFields({ settings, onChange }: Props) {
  return (
    <>
      <SelectField
        label="Quote"
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
      {settings.quote === null ? (
        <SelectField
          label="A backslash is"
          hint="Databases write \n for a line break, \t for a tab and \\ for a backslash."
          value={settings.escape === '\\' ? 'escape' : 'text'}
          options={[
            { value: 'text', label: 'Text' },
            { value: 'escape', label: 'An escape  \\n' },
          ]}
          onChange={(value) => onChange({ escape: value === 'escape' ? '\\' : null })}
        />
      ) : (
        <SelectField
          label="A quote inside quotes is"
          value={settings.escape === '\\' ? 'backslash' : 'doubled'}
          options={[
            { value: 'doubled', label: 'Doubled  ""' },
            { value: 'backslash', label: 'Escaped  \\"' },
          ]}
          onChange={(value) => onChange({ escape: value === 'backslash' ? '\\' : settings.quote })}
        />
      )}
      <SelectField
        label="Quotes in the wrong place"
        value={settings.strayQuotes ?? 'reject'}
        disabled={settings.quote === null}
        options={[
          { value: 'reject', label: 'Reject the row' },
          { value: 'text', label: 'Read them as text' },
        ]}
        onChange={(strayQuotes) => onChange({ strayQuotes })}
      />
    </>
  )
}

/** Header rows, rows to leave out, and the number of columns. */
function TableFields({ settings, onChange }: Props) {
  return (
    <>
      {settings.header ? (
        <NumberField
          label="Header rows"
          least={1}
          value={settings.headerRows ?? 1}
          onChange={(headerRows) => onChange({ headerRows }, true)}
        />
      ) : null}
      {settings.width === undefined ? null : (
        <NumberField label="Columns" least={1} value={settings.width} onChange={(width) => onChange({ width }, true)} />
      )}
      <NumberField
        label="Last rows left out"
        value={settings.skipLast ?? 0}
        onChange={(skipLast) => onChange({ skipLast, lastLine: undefined }, true)}
      />
      <LastLineField settings={settings} onChange={onChange} />
      <RowsField
        label="Lines left out"
        rows={settings.leaveOut ?? []}
        onChange={(leaveOut) => onChange({ leaveOut, ...byHand(settings.leaveOutSubtotals, false) }, true)}
      />
    </>
  )
}

/** The last line by its number, which would be another row in a longer file. */
function LastLineField({ settings: { skipLast = 0, lastLine }, onChange }: Props) {
  return (
    <CheckedField
      label="Last line"
      hint="In every file; what comes after it is left out"
      inputMode="numeric"
      placeholder="the file’s last"
      value={skipLast > 0 || lastLine === undefined ? '' : String(lastLine)}
      check={(text) => (text.trim() === '' ? null : numberProblem(text, 1, 999_999_999))}
      onChange={(text) =>
        onChange(text.trim() === '' ? { lastLine: undefined } : { skipLast: 0, lastLine: Number(text) }, true)
      }
    />
  )
}

/** What to do with rows that have more or fewer fields than the table has columns. */
function WidthFields({ settings, onChange }: Props) {
  return (
    <>
      <SelectField
        label="Rows with too few fields"
        value={settings.shortRows}
        options={[
          { value: 'pad-data', label: 'Fill with nulls, reject remarks' },
          { value: 'pad', label: 'Fill with nulls' },
          { value: 'reject', label: 'Reject' },
        ]}
        onChange={(shortRows) => onChange({ shortRows })}
      />
      <SelectField
        label="Rows with too many fields"
        value={settings.longRows ?? 'reject'}
        options={[
          { value: 'reject', label: 'Reject' },
          { value: 'keep', label: 'Keep, with more columns' },
        ]}
        onChange={(longRows) => onChange({ longRows })}
      />
    </>
  )
}

const numbersIn = (text: string): number[] => text.split(',').map(Number)

function StartsField({
  starts,
  onChange,
}: {
  starts: readonly number[]
  onChange: (starts: readonly number[]) => void
}) {
  return (
    <CheckedField
      label="Columns begin at"
      hint="Characters from 0, with commas between"
      mono
      value={starts.join(', ')}
      check={(text) => {
        if (!/^\s*\d{1,9}(\s*,\s*\d{1,9})*\s*$/.test(text)) return 'Give numbers from 0, with commas between.'
        const rise = numbersIn(text).every((at, i, all) => i === 0 || at > (all[i - 1] ?? 0))
        return rise ? null : 'Give each number greater than the one before.'
      }}
      onChange={(text) => onChange(numbersIn(text))}
    />
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
            <TypedInput
              mono
              aria-label="Other delimiter"
              maxLength={10}
              value={known ? '' : delimiter}
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
    <TypedField
      label="Comment lines begin with"
      mono
      placeholder="there are none"
      value={comment ?? ''}
      onChange={(text) => onChange(text === '' ? null : text)}
    />
  )
}

/** Number style of the file, since most columns of a file share one. */
function NumbersField({ numbers, onChange }: Pick<CsvSettings, 'numbers'> & Pick<Props, 'onChange'>) {
  return (
    <SelectField
      label="Numbers look like"
      hint="For values that are ambiguous by themselves, such as 1.234"
      value={numbers ?? 'none'}
      options={[{ value: 'none', label: 'Not known' }, ...NUMBER_STYLES.map((value) => ({ value, label: value }))]}
      onChange={(value) => onChange({ numbers: value === 'none' ? undefined : value })}
    />
  )
}

function NullFields({ settings, onChange }: Props) {
  const others = settings.nullStrings.filter((text) => text !== '')
  const withEmpty = settings.nullStrings.includes('')
  const set = (empty: boolean, texts: readonly string[], typing: boolean): void =>
    onChange({ nullStrings: empty ? ['', ...texts] : texts }, typing)
  return (
    <Field label="Null is" hint="Separate several with commas. A field in quotes is never null.">
      {(ids) => (
        <>
          <TypedInput
            {...ids}
            mono
            placeholder="such as NA, NULL"
            value={joinWithCommas(others)}
            onChange={(text) => set(withEmpty, splitAtCommas(text), true)}
          />
          <Check checked={withEmpty} onChange={(empty) => set(empty, others, false)} label="and an empty field" />
        </>
      )}
    </Field>
  )
}
