/** A part of a line: plain text or code. */
export interface Words {
  readonly text: string
  readonly code: boolean
}

export interface Release {
  readonly name: string
  /** The text before its lists. */
  readonly summary: readonly Words[]
  readonly parts: readonly { readonly title: string; readonly items: readonly (readonly Words[])[] }[]
}

/**
 * The releases in a Markdown changelog, newest first: a second-level heading each, with lists under third-level
 * headings. Links become plain text; no other Markdown than code is supported.
 */
export function parseChangelog(markdown: string): Release[] {
  const [, ...releases] = markdown.split(/^## /m)
  return releases.map((release) => {
    const [head = '', ...parts] = release.split(/\n### /)
    const [name = '', ...summary] = head.split('\n')
    return {
      name: name.trim(),
      summary: wordsOf(summary.join('\n')),
      parts: parts.map((part) => {
        const [title = '', ...items] = part.split(/\n- /)
        return { title: title.trim(), items: items.map(wordsOf) }
      }),
    }
  })
}

function wordsOf(item: string): Words[] {
  const text = item.replaceAll(/\s*\n\s*/g, ' ').trim()
  return text
    .replaceAll(/\[([^\]`]+)\]\([^)\s]+\)/g, '$1')
    .split(/(`[^`]+`)/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece.startsWith('`') ? { text: piece.slice(1, -1), code: true } : { text: piece, code: false }))
}
