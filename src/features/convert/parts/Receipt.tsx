import BadgeAlert from 'lucide-react/icons/badge-alert'
import BadgeCheck from 'lucide-react/icons/badge-check'
import OctagonX from 'lucide-react/icons/octagon-x'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { formatBytes } from '../../../lib/bytes.ts'
import type { MendedRow, ColumnFingerprint, Difference, Receipt as TableReceipt } from '../../../tables/receipt.ts'
import type { Note } from '../../../tables/plan.ts'
import { formatCount, formatElapsed, plural } from '../../../ui/format.ts'
import type { JobResult } from '../model/job.ts'
import { failedChecks } from '../../../tables/outputs.ts'
import { CheckList } from './CheckList.tsx'
import { describeSettings, formatName } from '../../../tables/labels.ts'
import { groupNotes } from '../../../tables/changes/note-groups.ts'
import { NoteText } from '../../shared/NoteText.tsx'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { ReceiptParts, ReceiptSources, ReceiptStatement, rowsRead } from './ReceiptSources.tsx'
import { SaveReceipt } from './SaveReceipt.tsx'
import { Button } from '../../../ui/Button.tsx'
import { usePrinting } from '../../../ui/hooks/use-media.ts'
import { ColumnType } from '../../shared/columns/ColumnType.tsx'
import { type ReceiptColumn, ReceiptTable } from './ReceiptTable.tsx'
import css from './Receipt.module.css'

interface Props {
  readonly fileName: string
  readonly result: JobResult
  /** Whether to show each source file. */
  readonly open: boolean
}

/** The proof of a conversion, designed like a till receipt. */
export function Receipt({ fileName, result, open }: Props) {
  const heading = useId()
  const receipts = result.outputs.flatMap((output) => output.receipts)
  if (receipts.length === 0) return null
  const same = receipts.every((receipt) => receipt.verdict === 'match')
  const doubts = groupNotes(receipts.flatMap(({ notes }) => notes.filter(({ doubt }) => doubt))).length
  const { rejectedCount } = result
  const failed = failedChecks(result).length
  const state = !same ? 'bad' : rejectedCount + doubts + failed > 0 ? 'caution' : 'good'
  const Icon = ICONS[state]
  return (
    <section aria-labelledby={heading} className={css.receipt} data-state={state}>
      <header className={css.head}>
        <span className={css.stamp}>
          <Icon aria-hidden />
          {same ? stampOf(rejectedCount, failed, doubts) : 'Doesn’t match'}
        </span>
        <h3 id={heading} className={css.title}>
          Receipt
        </h3>
        <p className={css.verdict}>
          {verdictOf(
            same,
            rejectedCount,
            receipts.some(({ shape }) => shape),
            result.outputs.length > 1,
          )}
        </p>
        <SaveReceipt fileName={fileName} result={result} />
      </header>
      {receipts.map((receipt, i) => (
        <TablePart
          key={`${receipt.output.name} ${receipt.source.table ?? ''} ${i}`}
          receipt={receipt}
          titled={receipts.length > 1}
          service={result.service}
          open={open && receipts.length <= 4}
        />
      ))}
    </section>
  )
}

const ICONS = { good: BadgeCheck, caution: BadgeAlert, bad: OctagonX }

/** `Verified, 37 left out, 1 check failed, with a doubt`: what to know besides that values are equal. */
function stampOf(leftOut: number, failed: number, doubts: number): string {
  const words = ['Verified']
  if (leftOut > 0) words.push(`${formatCount(leftOut)} left out`)
  if (failed > 0) words.push(failed === 1 ? '1 check failed' : `${formatCount(failed)} checks failed`)
  if (doubts > 0) words.push(doubts === 1 ? 'with a doubt' : `with ${doubts} doubts`)
  return words.join(', ')
}

/**
 * @param shaped whether there was a statement between reading and writing
 * @param several whether there's more than one output
 */
function verdictOf(same: boolean, leftOut: number, shaped: boolean, several: boolean): string {
  const made = several ? 'The new files' : 'The new file'
  const [are, hold, them] = several ? ['aren’t', 'hold', 'them'] : ['isn’t', 'holds', 'it']
  if (!same) return `${made}, read back, ${are} what ${shaped ? 'the statement gave' : 'was read from the source'}.`
  const compared = shaped
    ? `The statement read exactly what is in the source. ${made}, read back, ${hold} exactly what the statement gave.`
    : `${made} ${several ? 'were' : 'was'} read back and compared: every value is the same as was read from the source.`
  return leftOut === 0
    ? compared
    : `${compared} ${plural(leftOut, 'row')} ${leftOut === 1 ? 'isn’t' : 'aren’t'} in ${them}.`
}

interface PartProps {
  readonly receipt: TableReceipt
  readonly titled: boolean
  readonly service: string | undefined
  readonly open: boolean
}

function TablePart({ receipt, titled, service, open }: PartProps) {
  const detailed = useDeferredValue(open, false)
  const printing = usePrinting()
  const { source, output, found, duration, differences, changes, notes, rejectedRows } = receipt
  const reading = source.settings ? describeSettings(source.settings) : []
  return (
    <div className={css.part}>
      {titled ? <h4 className={css.partTitle}>{source.table ?? output.name}</h4> : null}
      <dl className={css.lines}>
        {receipt.shape ? <Line term="Rows read">{formatCount(rowsRead(receipt.shape))}</Line> : null}
        <Line term={receipt.shape ? 'Rows written' : 'Rows'}>{formatCount(found.rows)}</Line>
        <Line term="Columns">{formatCount(found.columns.length)}</Line>
        <Line term="From">
          {[...(receipt.sources ? [source.name] : []), sourceFormats(receipt), formatBytes(source.size)].join(', ')}
        </Line>
        {reading.length > 0 ? <Line term="Read as">{reading.join(', ')}</Line> : null}
        <Line term="To">
          {[...(receipt.parts ? [output.name] : []), formatName(output.format), formatBytes(output.size)].join(', ')}
        </Line>
        <Line term="Checksum">
          <code>{found.rowChecksum}</code>
        </Line>
        {receipt.mended ? <Line term="Mended and put back">{putBackOf(receipt.mended)}</Line> : null}
        <Line term="Rejected rows">{rejectedRows === 0 ? 'none' : `${formatCount(rejectedRows)}, left out`}</Line>
        {service === undefined ? (
          <Line term="Converted in">{formatElapsed(duration.convert)}</Line>
        ) : (
          <Line term="Converted by">{service}</Line>
        )}
        <Line term="Verified in">{formatElapsed(duration.verify)}</Line>
        {printing ? <PaperLines receipt={receipt} /> : null}
      </dl>
      {receipt.shape ? <ReceiptStatement shape={receipt.shape} /> : null}
      {receipt.checks ? (
        <div className={css.changes}>
          <h4>Checks</h4>
          <CheckList checks={receipt.checks} />
        </div>
      ) : null}
      <NoteList title="Guessed when it was read" notes={notes.filter(({ doubt }) => doubt)} />
      <Changes changes={changes} compared={receipt.textCompared === true} />
      <NoteList title="Noted in the source" notes={notes.filter(({ doubt }) => !doubt)} />
      {differences.length > 0 ? <Differences differences={differences} /> : null}
      {detailed && receipt.parts ? <ReceiptParts parts={receipt.parts} /> : null}
      {detailed && receipt.sources ? (
        <ReceiptSources sources={receipt.sources} read={receipt.shape !== undefined} />
      ) : null}
      <ReceiptColumns
        receipt={receipt}
        label={titled ? `Columns of ${source.table ?? output.name}` : 'Columns compared'}
      />
    </div>
  )
}

/** Identifies the files, for the printed receipt. */
function PaperLines({ receipt: { source, sources, output, createdAt } }: Pick<PartProps, 'receipt'>) {
  // A workbook may be the source of several tables, and files of several folders may have the same name.
  const files = new Map((sources ?? [source]).map((file) => [`${file.sha256} ${file.name}`, file]))
  return (
    <>
      <Line term="New file">{output.name}</Line>
      <Line term="Made">{`${createdAt.slice(0, 16).replace('T', ' ')} UTC`}</Line>
      {[...files].map(([key, { name, sha256 }]) =>
        sha256 ? (
          <Line key={key} term={`SHA-256 of ${sources ? `“${name}”` : 'the source'}`}>
            {sha256}
          </Line>
        ) : null,
      )}
      {output.sha256 ? <Line term="SHA-256 of the new file">{output.sha256}</Line> : null}
    </>
  )
}

function putBackOf(mended: readonly MendedRow[]): string {
  const rows = plural(mended.length, 'row')
  const appended = mended.filter(({ atEnd }) => atEnd).length
  if (appended === 0) return rows
  return appended === mended.length ? `${rows}, at the end` : `${rows}, ${formatCount(appended)} of them at the end`
}

function Line({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <div className={css.line}>
      <dt>{term}</dt>
      <span className={css.leader} aria-hidden />
      <dd>{children}</dd>
    </div>
  )
}

const SHOWN = 12

/** @param compared whether the source's text checksums confirm that nothing changed */
function Changes({ changes, compared }: { readonly changes: readonly Note[]; readonly compared: boolean }) {
  return changes.length === 0 ? (
    <p className={css.unchanged}>
      {compared ? 'Names, types and values are unchanged.' : 'No change of names, types or values is known.'}
    </p>
  ) : (
    <NoteList title="What changed" notes={changes} />
  )
}

function NoteList({ title, notes }: { readonly title: string; readonly notes: readonly Note[] }) {
  const groups = useMemo(() => groupNotes(notes), [notes])
  const [all, setAll] = useState(false)
  const printing = usePrinting()
  if (groups.length === 0) return null
  return (
    <div className={css.changes}>
      <h4>{title}</h4>
      <ul>
        {groups.slice(0, all || printing ? groups.length : SHOWN).map((group) => (
          <li key={`${group.code} ${group.message}`}>
            <NoteText group={group} />
          </li>
        ))}
      </ul>
      {groups.length > SHOWN ? (
        <Button size="small" look="quiet" className={css.unfold} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${formatCount(groups.length)}`}
        </Button>
      ) : null}
    </div>
  )
}

/** The format of the file, or the formats of all that were combined. */
const sourceFormats = ({ source, sources, notes }: TableReceipt): string =>
  source.format
    .split(', ')
    .map((id) => formatName(id, sources ? [] : notes))
    .join(', ')

/** A column's fingerprint, and whether it equals the source's. */
interface Compared {
  readonly print: ColumnFingerprint
  readonly matches: boolean
}

const COMPARED: readonly ReceiptColumn<Compared>[] = [
  {
    key: 'name',
    header: 'Column',
    width: 172,
    cell: ({ print }) => <span className={css.columnName}>{print.name}</span>,
  },
  { key: 'match', header: 'Match', width: 86, cell: ({ matches }) => <Match matches={matches} /> },
  { key: 'type', header: 'Type', width: 190, cell: ({ print }) => <ColumnType type={print.type} /> },
  { key: 'nulls', header: 'Nulls', width: 74, align: 'end', cell: ({ print }) => formatCount(print.nulls) },
  { key: 'min', header: 'Min', width: 150, cell: ({ print }) => print.min ?? '—' },
  { key: 'max', header: 'Max', width: 150, cell: ({ print }) => print.max ?? '—' },
  { key: 'sum', header: 'Sum', width: 150, align: 'end', cell: ({ print }) => print.sum ?? '—' },
  { key: 'checksum', header: 'Checksum', width: 144, cell: ({ print }) => print.checksum },
]

/** The columns' fingerprints, as read back: on request, and when printed. */
function ReceiptColumns({ receipt, label }: { readonly receipt: TableReceipt; readonly label: string }) {
  const { found, differences } = receipt
  const [open, setOpen] = useState(false)
  const printing = usePrinting()
  const compared = useMemo(() => {
    const differing = new Set(differences.map((difference) => difference.column))
    return found.columns.map((print): Compared => ({ print, matches: !differing.has(print.name) }))
  }, [found, differences])
  return (
    <>
      <Button size="small" look="quiet" className={css.unfold} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide columns' : 'Show columns'}
      </Button>
      {open || printing ? <ReceiptTable label={label} columns={COMPARED} items={compared} /> : null}
    </>
  )
}

function Match({ matches }: { readonly matches: boolean }) {
  return (
    <span className={css.match} data-matches={matches}>
      {matches ? <Check aria-hidden /> : <X aria-hidden />}
      {matches ? 'same' : 'differs'}
    </span>
  )
}

const SHOWN_DIFFERENCES = 50

/**
 * Differences between the output, read back, and what was read from the source.
 * @param heads names of the two sides
 */
export function Differences({
  differences,
  heads = ['In the source', 'In the output'],
}: {
  readonly differences: readonly Difference[]
  readonly heads?: readonly [string, string]
}) {
  return (
    <table className={css.differences} aria-label="Differences">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">What</th>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {differences.slice(0, SHOWN_DIFFERENCES).map((difference) => (
          <tr key={`${difference.column} ${difference.what}`}>
            <td>{difference.column ?? 'Whole table'}</td>
            <td>{difference.what}</td>
            <td>{difference.expected}</td>
            <td>{difference.found}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
