/* The subset of CommonMark used in descriptions. Everything else is shown as written. */

export type Inline = { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }

type Block =
  | { readonly kind: 'heading' | 'paragraph'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }

export function parseMarkdown(source: string): readonly Block[] {
  return source
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): Block => {
      const heading = /^#{1,6} +(.+)$/.exec(part)?.[1]
      if (heading !== undefined) return { kind: 'heading', inlines: parseInlines(heading) }
      const lines = part.split('\n')
      if (lines.every((line) => /^[-*] /.test(line))) {
        return { kind: 'list', items: lines.map((line) => parseInlines(line.slice(2))) }
      }
      return { kind: 'paragraph', inlines: parseInlines(lines.join(' ')) }
    })
}

export function parseInlines(text: string): readonly Inline[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter((part) => part !== '')
    .map((part): Inline => {
      if (/^`[^`]+`$/.test(part)) return { kind: 'code', text: part.slice(1, -1) }
      if (/^\*\*[^*]+\*\*$/.test(part)) return { kind: 'strong', text: part.slice(2, -2) }
      return { kind: 'text', text: part }
    })
}
