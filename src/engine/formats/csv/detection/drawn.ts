import { isRule } from '../line-tokenizer.ts'
import type { Form } from './sample.ts'

/** Lines that are looked at. */
const MOST = 300
const WIDEST = 1000
const encoder = new TextEncoder()

function ruled(line: string): boolean {
  const bytes = encoder.encode(line)
  return isRule(bytes, 0, bytes.length)
}

/** Tables drawn with lines: between cells (`|`), or below the names of columns of a fixed width. */
export function drawnForms(text: string): Form[] {
  const lines = text.split(/\r\n|[\r\n]/).slice(0, MOST)
  const rule = lines.findIndex(ruled)
  if (rule < 0) return []
  const plain = { quote: null, escape: null } as const
  const forms: Form[] = ['|', '│', '║']
    .filter((mark) => lines.filter((line) => !ruled(line) && line.includes(mark)).length >= 2)
    .map((delimiter) => ({ ...plain, delimiter, layout: 'frame' }))
  const starts = [...lines[rule].matchAll(/(?<=^|\s)[-=]+(?=\s|$)/g)].map(({ index }) => index)
  if (starts.length > 1) forms.push({ ...plain, delimiter: ' ', layout: 'fixed', columnStarts: starts })
  return forms
}

/** Columns that begin at the same place in all lines: where all lines have a blank before. */
export function fixedForms(text: string): Form[] {
  const lines = text
    .split(/\r\n|[\r\n]/)
    .slice(0, MOST)
    .filter((line) => line.trim() !== '')
    .map((line) => Array.from(line.trimEnd()))
  if (lines.length < 3 || lines.some((line) => line.length > WIDEST)) return []
  if (lines.filter((line) => line.join('').trimStart().includes('  ')).length * 2 < lines.length) return []
  const length = Math.max(...lines.map((line) => line.length))
  const starts: number[] = []
  let isGap = true
  for (let at = 0; at < length; at++) {
    const blank = lines.every((line) => (line[at] ?? ' ') === ' ')
    if (!blank && isGap) starts.push(at)
    isGap = blank
  }
  if (starts.length < 2) return []
  // What begins further right in its column than the first line does belongs to it all the same.
  return [{ delimiter: ' ', quote: null, escape: null, layout: 'fixed', columnStarts: starts.with(0, 0) }]
}
