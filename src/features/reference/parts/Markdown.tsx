import { useMemo } from 'react'
import { parseMarkdown, type Inline } from '../model/markdown.ts'
import css from './Markdown.module.css'

/** A description. Its headings are one level below the section's. */
export function Markdown({ source }: { readonly source: string }) {
  const blocks = useMemo(() => parseMarkdown(source), [source])
  return (
    <div className={css.markdown}>
      {blocks.map((block, index) => {
        const key = `${index} ${block.kind}`
        if (block.kind === 'list') {
          return (
            <ul key={key}>
              {block.items.map((item, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- the text never changes its order
                <li key={at}>
                  <Inlines inlines={item} />
                </li>
              ))}
            </ul>
          )
        }
        const inlines = <Inlines inlines={block.inlines} />
        return block.kind === 'heading' ? <h3 key={key}>{inlines}</h3> : <p key={key}>{inlines}</p>
      })}
    </div>
  )
}

export function Inlines({ inlines }: { readonly inlines: readonly Inline[] }) {
  return inlines.map(({ kind, text }, index) => {
    const key = `${index} ${kind}`
    if (kind === 'code') return <code key={key}>{text}</code>
    if (kind === 'strong') return <strong key={key}>{text}</strong>
    return <span key={key}>{text}</span>
  })
}
