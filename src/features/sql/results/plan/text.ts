import { formatCount, plural } from '../../../../ui/format.ts'
import { measured, type PlanNode } from './measure.ts'
import type { PlanOperator } from '../../../../engine/client.ts'
import { operatorWords } from './operators.ts'

/** The plan as indented text, with all its details. */
export function planText(plan: PlanOperator): string {
  return `${lines(measured(plan)).join('\n')}\n`
}

function lines(node: PlanNode): string[] {
  const { operator, depth, children } = node
  const indent = '  '.repeat(depth)
  const facts = factsOf(node)
  return [
    `${indent}- ${operatorWords(operator).title}${facts ? `: ${facts}` : ''}`,
    ...operator.details.map(([label, text]) => `${indent}    ${label}: ${text.replaceAll(/\s*\n\s*/g, ', ')}`),
    ...children.flatMap(lines),
  ]
}

/** `1,204 rows (12 expected), 3.1 ms (40 %)` */
export function factsOf({ operator, share }: PlanNode): string {
  const { rows, estimatedRows, milliseconds } = operator
  const expected = estimatedRows === null ? null : `about ${plural(estimatedRows, 'row')} expected`
  const came =
    rows === null
      ? expected
      : `${plural(rows, 'row')}${estimatedRows === null ? '' : ` (${formatCount(estimatedRows)} expected)`}`
  const time =
    milliseconds === null ? null : `${timeText(milliseconds)}${share === null ? '' : ` (${shareText(share)})`}`
  return [came, time].filter((each) => each !== null).join(', ')
}

/** `0.03 ms`, `12 ms`, `1.20 s` */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`
  if (milliseconds >= 10) return `${Math.round(milliseconds)} ms`
  return `${milliseconds.toFixed(milliseconds >= 1 || milliseconds === 0 ? 1 : 2)} ms`
}

export function shareText(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`
}
