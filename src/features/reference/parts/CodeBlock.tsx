import { type ReactNode, useMemo } from 'react'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { scrollable } from '../../../ui/table/DataTable.tsx'
import { type CodeLanguage, highlight } from '../model/highlight.ts'
import { type Language, LANGUAGES } from '../../../contract/snippets/index.ts'
import { Tabs } from '../../../ui/Tabs.tsx'
import css from './CodeBlock.module.css'

interface Props {
  /** Its accessible name. */
  readonly label: string
  readonly code: string
  readonly language: CodeLanguage
  /** Label of the copy button; no button without it. */
  readonly copy?: string
}

/** Longer code isn't colored, since that would create an element for each token. In characters. */
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

interface TabsProps {
  readonly label: string
  readonly language: Language
  readonly onLanguage: (language: Language) => void
  readonly code: (language: Language) => string
}

/** A request as curl, JavaScript and Python. */
export function SnippetTabs({ label, language, onLanguage, code }: TabsProps) {
  const items = LANGUAGES.map((item) => ({ value: item.id, label: item.label, panel: panelOf(item, code) }))
  return <Tabs label={label} value={language} onChange={onLanguage} items={items} />
}

function panelOf({ id, label }: (typeof LANGUAGES)[number], code: TabsProps['code']): () => ReactNode {
  return () => <CodeBlock label={`${label} code`} code={code(id)} language={id} copy={`Copy the ${label} code`} />
}
