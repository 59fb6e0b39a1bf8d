import type { CsvOptions, JsonOptions, ParquetOptions, WriteOptions, XlsxOptions } from '../../../tables/plan.ts'
import { jsonTable } from '../../../tables/settings.ts'
import { NumberField } from '../../../ui/fields/CheckedField.tsx'
import { Check, SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { useConvert } from '../context.tsx'
import { isBusy, optionsOf, type Job } from '../model/job.ts'
import { SplitFields } from '../parts/split/SplitFields.tsx'
import { useSplitting } from '../parts/split/use-splitting.ts'
import { JobFields } from './JobFields.tsx'
import css from '../../shared/Form.module.css'

interface PanelProps {
  readonly job: Job
  /** The jobs to set; this one by default. */
  readonly jobs?: readonly Job[]
}

/** How to write new files. */
export default function OutputPanel({ job, jobs = [job] }: PanelProps) {
  const { store } = useConvert()
  const options = optionsOf(job)
  const set = (next: WriteOptions): void => store.together(jobs, ({ id }) => store.setOptions(id, next))
  return (
    <fieldset className={css.form} disabled={isBusy(job)}>
      <legend className="visually-hidden">How the new file is written</legend>
      <JobFields jobs={jobs} panel="split">
        <SplitFields
          {...useSplitting(jobs)}
          jobs={jobs}
          split={job.split ?? null}
          onChange={(split) => store.together(jobs, ({ id }) => store.setSplit(id, split))}
        />
      </JobFields>
      {options.kind === 'csv' ? (
        <CsvOutput
          options={options}
          delimited={job.target === 'csv'}
          fromText={job.inspection?.settings.kind === 'csv'}
          onChange={set}
        />
      ) : null}
      {options.kind === 'json' ? (
        <JsonOutput
          options={options}
          fromJson={job.inspection?.format === 'json'}
          unfolded={isUnfolded(job)}
          onChange={set}
        />
      ) : null}
      {options.kind === 'parquet' ? (
        <JobFields jobs={jobs} panel="output">
          <ParquetOutput options={options} onChange={set} />
        </JobFields>
      ) : null}
      {options.kind === 'xlsx' ? <XlsxOutput options={options} onChange={set} /> : null}
      {options.kind === 'arrow' ? (
        <p className={css.remark}>An Arrow file (Feather version 2), uncompressed: there’s nothing to set.</p>
      ) : null}
    </fieldset>
  )
}

interface Props<O> {
  readonly options: O
  readonly onChange: (options: O) => void
}

interface CsvProps extends Props<CsvOptions> {
  /** Whether the delimiter can be chosen. */
  readonly delimited: boolean
  readonly fromText: boolean
}

function CsvOutput({ options, delimited, fromText, onChange }: CsvProps) {
  const set = (patch: Partial<CsvOptions>): void => onChange({ ...options, ...patch })
  return (
    <>
      {delimited ? (
        <SelectField
          label="Delimiter"
          value={options.delimiter}
          options={[
            { value: ',', label: 'Comma  ,' },
            { value: ';', label: 'Semicolon  ;' },
            { value: '\t', label: 'Tab' },
            { value: '|', label: 'Pipe  |' },
          ]}
          onChange={(delimiter) => set({ delimiter })}
        />
      ) : null}
      {fromText ? (
        <SelectField
          label="Values"
          hint="In standard form dates are 2023-12-31, numbers 2.5, booleans true, and every column has a name of its own."
          value={options.normalize ? 'standard' : 'kept'}
          options={[
            { value: 'kept', label: 'Keep as written' },
            { value: 'standard', label: 'Write in standard form' },
          ]}
          onChange={(value) => set({ normalize: value === 'standard' })}
        />
      ) : null}
      <SelectField
        label="Line ends"
        value={options.lineEnd === '\n' ? 'lf' : 'crlf'}
        options={[
          { value: 'lf', label: 'LF  (Unix)' },
          { value: 'crlf', label: 'CRLF  (Windows)' },
        ]}
        onChange={(value) => set({ lineEnd: value === 'lf' ? '\n' : '\r\n' })}
      />
      <TextField
        label="Null is written as"
        mono
        placeholder="nothing"
        value={options.nullString}
        onChange={(nullString) => set({ nullString })}
      />
      <div className={css.checks}>
        <Check checked={options.header} onChange={(header) => set({ header })} label="Header row" />
        <Check checked={options.quoteAll} onChange={(quoteAll) => set({ quoteAll })} label="Quote every field" />
        <Check
          checked={options.bom}
          onChange={(bom) => set({ bom })}
          label="Byte order mark"
          hint="Older Excel needs it to see that the file is UTF-8."
        />
        <Check
          checked={options.safeForSpreadsheets}
          onChange={(safeForSpreadsheets) => set({ safeForSpreadsheets })}
          label="Safe for spreadsheets"
          hint="Puts ' before text that a spreadsheet would run as a formula. It changes values; the receipt says how many."
        />
      </div>
    </>
  )
}

/** Whether nested columns were unfolded, so that they can be nested again. */
function isUnfolded({ plan }: Job): boolean {
  const { settings, tables = [] } = plan ?? {}
  if (settings?.kind !== 'json') return false
  return tables.some(({ include, name }) => include && (jsonTable(settings, name).unfold ?? []).length > 0)
}

interface JsonProps extends Props<JsonOptions> {
  readonly fromJson: boolean
  readonly unfolded: boolean
}

function JsonOutput({ options, fromJson, unfolded, onChange }: JsonProps) {
  return (
    <>
      <SelectField
        label="Layout"
        hint="One object a line (NDJSON) suits big files and tools that stream."
        value={options.layout}
        options={[
          { value: 'array', label: 'Array of objects' },
          { value: 'lines', label: 'One object a line' },
        ]}
        onChange={(layout) => onChange({ ...options, layout })}
      />
      {fromJson ? (
        <div className={css.checks}>
          <Check
            checked={options.normalize}
            onChange={(normalize) => onChange({ ...options, normalize })}
            label="Normalize values"
            hint="Writes 2.50 as 2.5, times in UTC, and every key in every object. Otherwise values stay as the file has them."
          />
          {unfolded ? (
            <Check
              checked={options.nested ?? false}
              onChange={(nested) => onChange({ ...options, nested })}
              label="Write nested columns as they were"
              hint="Columns such as “address.city” become objects again, and rows that were the elements of a list become a list again. They stay rows if some are left out, or the table is split or shaped; the receipt says so."
            />
          ) : null}
        </div>
      ) : null}
    </>
  )
}

const CODECS = [
  { value: 'zstd', label: 'Zstandard (small, fast)' },
  { value: 'snappy', label: 'Snappy (most compatible)' },
  { value: 'gzip', label: 'gzip' },
  { value: 'lz4_raw', label: 'LZ4' },
  { value: 'brotli', label: 'Brotli' },
  { value: 'uncompressed', label: 'None' },
] as const

function ParquetOutput({ options, onChange }: Props<ParquetOptions>) {
  return (
    <>
      <SelectField
        label="Compression"
        value={options.codec}
        options={CODECS}
        onChange={(codec) => onChange({ ...options, codec })}
      />
      <NumberField
        label="Rows in a group"
        hint="Readers skip whole groups; 122,880 suits most."
        least={1000}
        most={10_000_000}
        value={options.rowGroupSize}
        onChange={(rowGroupSize) => onChange({ ...options, rowGroupSize })}
      />
    </>
  )
}

function XlsxOutput({ options, onChange }: Props<XlsxOptions>) {
  return (
    <TextField
      label="Sheet name"
      hint="At most 31 characters. Empty: the table’s own name, or the file’s."
      maxLength={31}
      placeholder="from the file"
      value={options.sheetName}
      onChange={(sheetName) => onChange({ ...options, sheetName })}
    />
  )
}
