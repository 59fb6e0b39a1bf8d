import X from 'lucide-react/icons/x'
import { useId } from 'react'
import { formatInfo, FORMATS } from '../../../contract/formats.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { FileButton } from '../../../ui/fields/FileButton.tsx'
import { formatWhen, listOf, plural, quotedList } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import FilePlus from 'lucide-react/icons/file-plus'
import { useConvert } from '../context.tsx'
import { reservations, type NamedFile, type Outcome } from '../../../tables/receipt-check.ts'
import type { FileCheck, ReceiptCheck } from '../store/receipt-checks.ts'
import { Differences } from './Receipt.tsx'
import card from './Card.module.css'
import css from './ReceiptChecks.module.css'

/** Receipts that were added, with the results of comparing files with them. */
export default function ReceiptChecks() {
  const { receiptChecks } = useConvert()
  return useStore(receiptChecks).map((check) => <Check key={check.id} check={check} />)
}

function Check({ check }: { readonly check: ReceiptCheck }) {
  const { receiptChecks } = useConvert()
  const heading = useId()
  const { fileName, problems, named, checks, foreign, receipts } = check
  const remove = (): void => receiptChecks.remove(check.id)
  const against = reservations(receipts)
  const waiting = named.filter((_, i) => checks[i]?.kind === 'waiting')
  return (
    <section aria-labelledby={heading} className={card.card}>
      <header className={css.head}>
        <div>
          <h2 id={heading} className={card.name}>
            {fileName}
          </h2>
          <p className={css.quiet}>
            <Summary check={check} />
          </p>
        </div>
        <IconButton label={`Remove ${fileName}`} onClick={remove}>
          <X aria-hidden />
        </IconButton>
      </header>
      {problems.map((problem) => (
        <Notice key={problem} tone="bad" live="alert">
          <p>
            <strong>
              {receipts.length === 0 ? 'This receipt can’t be used.' : 'This receipt doesn’t agree with itself.'}
            </strong>{' '}
            {problem}
          </p>
        </Notice>
      ))}
      {against.length > 0 ? (
        <Notice tone="warn" live="status">
          <p>
            <strong>By the receipt itself:</strong> {against.join(' ')}
          </p>
        </Notice>
      ) : null}
      {named.map((file, i) => {
        const state = checks[i]
        return state && state.kind !== 'waiting' ? (
          <Compared
            key={`${file.role} ${file.name} ${i}`}
            file={file}
            state={state}
            onCancel={() => receiptChecks.cancel(check.id, i)}
          />
        ) : null
      })}
      {foreign.length > 0 ? (
        <Notice tone="warn" live="status">
          <p>
            The receipt doesn’t mention {quotedList(foreign, NAMED)}: {foreign.length === 1 ? 'it has' : 'they have'}{' '}
            neither the name nor the size of a file on it.
          </p>
        </Notice>
      ) : null}
      {waiting.length > 0 ? (
        <Waiting files={waiting} onFiles={(files) => receiptChecks.compare(check.id, files)} />
      ) : null}
    </section>
  )
}

function Summary({ check: { receipts } }: { readonly check: ReceiptCheck }) {
  const now = useNow()
  const [first] = receipts
  if (!first) return 'Receipt'
  const rows = receipts.reduce((sum, { found }) => sum + found.rows, 0)
  const format = FORMATS.find(({ id }) => id === first.output.format)
  return `Receipt of a conversion to ${format ? formatInfo(format.id).displayName : first.output.format}, ${plural(rows, 'row')}, ${formatWhen(Date.parse(first.createdAt), now)}`
}

const ROLES = { source: 'Source', output: 'New file' }

interface ComparedProps {
  readonly file: NamedFile
  readonly state: Exclude<FileCheck, { kind: 'waiting' }>
  readonly onCancel: () => void
}

function Compared({ file, state, onCancel }: ComparedProps) {
  if (state.kind === 'running') {
    const label = state.phase === 'hashing' ? `Hashing ${file.name}` : `Reading ${file.name} again`
    const { progress } = state
    return (
      <div className={css.running}>
        <span>{label}</span>
        <Progress
          label={label}
          value={progress && progress.totalBytes > 0 ? progress.bytes / progress.totalBytes : null}
        />
        <Button size="small" onClick={onCancel} aria-label={`Cancel checking ${file.name}`}>
          Cancel
        </Button>
      </div>
    )
  }
  const title = `${ROLES[file.role]}: ${state.fileName}`
  if (state.kind === 'failed') {
    return (
      <Notice tone="bad" live="alert">
        <h3>{title}</h3>
        <p>It couldn’t be compared. {state.message}</p>
      </Notice>
    )
  }
  return (
    <OutcomeNotice title={title} renamed={state.fileName === file.name ? null : file.name} outcome={state.outcome} />
  )
}

function OutcomeNotice({
  title,
  renamed,
  outcome,
}: {
  readonly title: string
  readonly renamed: string | null
  readonly outcome: Outcome
}) {
  return (
    <Notice tone={outcome.tone} live={outcome.tone === 'good' ? 'status' : 'alert'}>
      <h3>{title}</h3>
      <p>
        <strong>{outcome.title}</strong>
      </p>
      {renamed === null ? null : <p>On the receipt it’s called “{renamed}”.</p>}
      {outcome.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {outcome.differences.map(({ table, found }) => (
        <div key={table ?? ''}>
          {table === null ? null : <h4>{table}</h4>}
          <Differences differences={found} heads={['On the receipt', 'In this file']} />
        </div>
      ))}
    </Notice>
  )
}

function Waiting({
  files,
  onFiles,
}: {
  readonly files: readonly NamedFile[]
  readonly onFiles: (files: readonly File[]) => void
}) {
  return (
    <div className={css.waiting}>
      <p className={css.quiet}>
        Not compared yet:{' '}
        {listOf(
          files.map((file) => nameAmong(file, files)),
          NAMED,
        )}
        .
      </p>
      <FileButton look="secondary" icon={<FilePlus aria-hidden />} onFiles={onFiles}>
        Add files to compare
      </FileButton>
    </div>
  )
}

/** A file's name, with its role if another has the same name, as after CSV to CSV. */
function nameAmong({ name, role }: NamedFile, files: readonly NamedFile[]): string {
  const isUnique = files.filter((file) => file.name === name).length === 1
  return isUnique ? `“${name}”` : `the ${ROLES[role].toLowerCase()} “${name}”`
}

const NAMED = 6
