import type { ReactNode } from 'react'
import { LANGUAGES, type Language } from '../../../contract/snippets/index.ts'
import { Tabs } from '../../../ui/Tabs.tsx'
import { CodeBlock } from './CodeBlock.tsx'

interface Props {
  readonly label: string
  readonly language: Language
  readonly onLanguage: (language: Language) => void
  readonly code: (language: Language) => string
}

/** The same as curl, JavaScript and Python. */
export function SnippetTabs({ label, language, onLanguage, code }: Props) {
  const items = LANGUAGES.map((item) => ({ value: item.id, label: item.label, panel: panelOf(item, code) }))
  return <Tabs label={label} value={language} onChange={onLanguage} items={items} />
}

function panelOf({ id, label }: (typeof LANGUAGES)[number], code: Props['code']): () => ReactNode {
  return () => <CodeBlock label={`${label} code`} code={code(id)} language={id} copy={`Copy the ${label} code`} />
}
