import { useState } from 'react'
import { formatBytes } from '../../../lib/bytes.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { fileName, saveFile } from '../../../ui/save.ts'
import { bytesOf, hexDump, jsonOf, momentFacts, textFacts, type Fact } from './inspect.ts'
import css from './ValueDetails.module.css'
import { hasParts } from '../../../tables/type-names.ts'

/** Most characters of a value to show; all can be copied. */
const SHOWN = 200_000
/** Most bytes to show. */
const DUMPED = 16_384

interface Props {
  readonly name: string
  /** DuckDB's name of the type. */
  readonly type: string
  /** The exact text; bytes in base64. Null for null. */
  readonly text: string | null
  /** The same value in JSON. */
  readonly value: unknown
}

/** All of a value, however long or nested, with facts about it. */
export function ValueDetails({ name, type, text, value }: Props) {
  if (text === null) return <p className={css.none}>NULL: no value</p>
  if (type === 'BLOB') return <Bytes name={name} base64={text} />
  if (hasParts(type)) return <Structured text={text} value={typeof value === 'string' ? jsonOf(value) : value} />
  if (type === 'VARCHAR' || type === 'JSON') {
    const json = jsonOf(text)
    if (json !== undefined) return <Structured text={text} value={json} />
    if (text === '') return <p className={css.none}>Empty: text of no length</p>
    return (
      <>
        <Facts facts={textFacts(text)} />
        <Text text={text} />
      </>
    )
  }
  return (
    <>
      <Text text={text} />
      <Facts facts={momentFacts(type, value)} />
    </>
  )
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className={css.facts}>
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Text({ text }: { readonly text: string }) {
  const cut = text.length > SHOWN
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach that */}
      <pre className={css.text} tabIndex={0} aria-label="Value" dir="auto">
        {cut ? text.slice(0, SHOWN) : text}
      </pre>
      {cut ? (
        <p className={css.none}>
          The first {formatCount(SHOWN)} of {formatCount(text.length)} characters. “Copy value” copies all.
        </p>
      ) : null}
    </>
  )
}

/** A nested value, or JSON text: as a tree, or as text. */
function Structured({ text, value }: { readonly text: string; readonly value: unknown }) {
  const [plain, setPlain] = useState(false)
  return (
    <>
      <Button size="small" className={css.toggle} onClick={() => setPlain((old) => !old)}>
        {plain ? 'Show as a tree' : 'Show the text'}
      </Button>
      {plain || value === undefined ? <Text text={text} /> : <JsonTree key={text} value={value} />}
    </>
  )
}

function Bytes({ name, base64 }: { readonly name: string; readonly base64: string }) {
  const bytes = bytesOf(base64)
  const cut = bytes.length > DUMPED
  return (
    <>
      <p className={css.row}>
        <span>{formatBytes(bytes.length)}</span>
        <CopyButton label="Copy as base64" text={base64} />
        <Button size="small" onClick={() => saveFile(new Blob([bytes]), fileName(name, 'bin', 'value'))}>
          Download
        </Button>
      </p>
      {bytes.length === 0 ? (
        <p className={css.none}>No bytes</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        <pre className={css.hex} tabIndex={0} aria-label="Bytes">
          {hexDump(cut ? bytes.subarray(0, DUMPED) : bytes)}
        </pre>
      )}
      {cut ? <p className={css.none}>The first {formatBytes(DUMPED)}. “Download” saves all.</p> : null}
    </>
  )
}

/** Children of a nested value shown at first, and with each "more". */
const PAGE = 100
/** Levels that are open at first. */
const OPEN = 2

interface JsonTreeProps {
  readonly value: unknown
  readonly name?: string
  readonly depth?: number
}

/** A JSON value whose levels can be opened. */
function JsonTree({ value, name, depth = 0 }: JsonTreeProps) {
  const [open, setOpen] = useState(depth < OPEN)
  const [count, setCount] = useState(PAGE)
  const label = name === undefined ? null : <span className={css.key}>{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={css.leaf}>
        {label}
        <Leaf value={value} />
      </div>
    )
  }
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  if (entries.length === 0) {
    return (
      <div className={css.leaf}>
        {label}
        <span className={css.sign}>{isList ? '[ ]' : '{ }'}</span>
      </div>
    )
  }
  return (
    <details className={css.branch} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className={css.sign}>
          {isList ? `[ ${plural(entries.length, 'item')} ]` : `{ ${plural(entries.length, 'field')} }`}
        </span>
      </summary>
      {open ? (
        <div className={css.children}>
          {entries.slice(0, count).map(([key, own]) => (
            <JsonTree key={key} name={key} value={own} depth={depth + 1} />
          ))}
          {entries.length > count ? (
            <Button size="small" look="quiet" onClick={() => setCount(count + PAGE * 10)}>
              Show more of {formatCount(entries.length)}
            </Button>
          ) : null}
        </div>
      ) : null}
    </details>
  )
}

function Leaf({ value }: { readonly value: unknown }) {
  if (value === null) return <span className={css.nullLeaf}>null</span>
  if (typeof value === 'string') return <span className={css.string}>{JSON.stringify(value)}</span>
  return <span className={css.number}>{JSON.stringify(value)}</span>
}
