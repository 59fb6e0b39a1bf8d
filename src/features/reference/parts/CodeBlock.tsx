import { useMemo } from 'react'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { scrollable } from '../../../ui/DataTable.tsx'
import { highlight, type CodeLanguage } from '../model/highlight.ts'
import css from './CodeBlock.module.css'

interface Props {
  /** Its accessible name. */
  readonly label: string
  readonly code: string
  readonly language: CodeLanguage
  /** What the button that copies it is called; none without. */
  readonly copy?: string
}

/** More than this is shown in one color: coloring makes an element of each word. */
const COLORED = 20_000

export function CodeBlock({ label, code, language, copy }: Props) {
  const tokens = useMemo(
    () => (code.length > COLORED ? [{ kind: 'plain' as const, text: code }] : highlight(code, language)),
    [code, language],
  )
  return (
    <div className={css.block}>
      <pre className={css.code} {...scrollable(label)}>
        <code>
          {tokens.map(({ kind, text }, index) =>
            kind === 'plain' ? (
              text
            ) : (
              // oxlint-disable-next-line react/no-array-index-key -- tokens have no identity but their place
              <span key={index} className={css[kind]}>
                {text}
              </span>
            ),
          )}
        </code>
      </pre>
      {copy ? (
        <div className={css.copy}>
          <CopyButton label={copy} text={code} bare />
        </div>
      ) : null}
    </div>
  )
}
