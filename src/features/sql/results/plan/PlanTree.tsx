import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Badge } from '../../../../ui/Badge.tsx'
import { cx } from '../../../../ui/cx.ts'
import { formatCount, plural } from '../../../../ui/format.ts'
import { treeMove, type TreeLine } from '../../../../ui/tree-keys.ts'
import { visibleNodes, type PlanNode, operatorWords, factsOf, shareText, timeText } from './plan.ts'
import css from './PlanTree.module.css'

/** Deepest level with indentation: on a phone, there's no room for more. */
const INDENTED = 12

/** The operators of a plan as an ARIA tree. */
export function PlanTree({ root }: { readonly root: PlanNode }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState(root.id)
  const tree = useRef<HTMLUListElement>(null)
  const visible = useMemo(() => visibleNodes(root, closed), [root, closed])
  const here = visible.some(({ id }) => id === current) ? current : root.id
  const go = (id: string): void => {
    setCurrent(id)
    tree.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus()
  }
  const toggle = (ids: readonly string[]): void => {
    const opened = ids.filter((id) => closed.has(id))
    setClosed(new Set([...closed, ...ids].filter((id) => !opened.includes(id))))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = visible.findIndex(({ id }) => id === here)
    const lines = linesOf(visible, closed)
    const opens = (event.key === 'Enter' || event.key === ' ') && lines[at]?.expanded !== null
    const move = opens ? { toggle: [here] } : treeMove(event.key, lines, at)
    if (!move) return
    event.preventDefault()
    if ('go' in move) go(visible[move.go]?.id ?? here)
    else toggle(move.toggle)
  }
  return (
    <ul ref={tree} role="tree" aria-label="Steps of the plan" className={css.tree} onKeyDown={onKeyDown}>
      <Step node={root} closed={closed} current={here} onFocus={setCurrent} onToggle={toggle} />
    </ul>
  )
}

/** The visible operators as rows, for keyboard handling. */
export function linesOf(visible: readonly PlanNode[], closed: ReadonlySet<string>): TreeLine[] {
  const places = new Map(visible.map(({ id }, i) => [id, i]))
  return visible.map(({ id, children }) => ({
    key: id,
    expanded: children.length > 0 ? !closed.has(id) : null,
    parent: places.get(id.replace(/\.?\d+$/, '')) ?? -1,
  }))
}

interface StepProps {
  readonly node: PlanNode
  readonly closed: ReadonlySet<string>
  readonly current: string
  readonly onFocus: (id: string) => void
  readonly onToggle: (ids: readonly string[]) => void
}

function Step({ node, closed, current, onFocus, onToggle }: StepProps) {
  const { id, operator, children, slow, slowest, depth } = node
  const { title, means } = operatorWords(operator)
  const isParent = children.length > 0
  const isOpen = isParent && !closed.has(id)
  const facts = factsOf(node)
  return (
    <li
      role="treeitem"
      data-id={id}
      aria-label={[title, facts, slowest ? 'slowest step' : '', mistakeText(node)].filter(Boolean).join(', ')}
      aria-level={depth + 1}
      aria-expanded={isParent ? isOpen : undefined}
      aria-selected={id === current}
      tabIndex={id === current ? 0 : -1}
      className={css.item}
      onFocus={(event) => {
        if (event.target === event.currentTarget) onFocus(id)
      }}
    >
      <div className={cx(css.row, slow && css.slow)} title={means ?? undefined}>
        {isParent ? (
          // The arrow keys do the same.
          <span aria-hidden className={css.fold} onClick={() => onToggle([id])}>
            {isOpen ? <ChevronDown /> : <ChevronRight />}
          </span>
        ) : (
          <span aria-hidden className={css.fold} />
        )}
        <div className={css.what}>
          <div className={css.line}>
            <span className={css.title}>{title}</span>
            <Rows node={node} />
            {slowest ? <Badge tone="warn">Slowest</Badge> : null}
            {node.misestimate ? <Badge tone="bad">{mistakeText(node)}</Badge> : null}
          </div>
          {means ? <p className={css.means}>{means}</p> : null}
          <Details node={node} />
        </div>
        <Time node={node} />
      </div>
      {isOpen ? (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what a tree item's children are in
        <ul role="group" className={cx(css.children, depth < INDENTED && css.indented)}>
          {children.map((child) => (
            <Step key={child.id} node={child} closed={closed} current={current} onFocus={onFocus} onToggle={onToggle} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

function mistakeText({ misestimate }: PlanNode): string {
  if (!misestimate) return ''
  return `${formatCount(Math.round(misestimate.factor))}× ${misestimate.direction} rows than expected`
}

function Rows({ node }: { readonly node: PlanNode }) {
  const { rows, estimatedRows } = node.operator
  if (rows === null && estimatedRows === null) return null
  return (
    <span className={css.rows}>
      {rows === null ? `about ${plural(estimatedRows ?? 0, 'row')}` : plural(rows, 'row')}
      {rows !== null && estimatedRows !== null ? (
        <span className={css.expected}> · {formatCount(estimatedRows)} expected</span>
      ) : null}
    </span>
  )
}

function Time({ node: { operator, share } }: { readonly node: PlanNode }) {
  if (operator.milliseconds === null || share === null) return null
  return (
    <div className={css.time}>
      <span className={css.milliseconds}>{timeText(operator.milliseconds)}</span>
      <span className={css.share}>{shareText(share)}</span>
      <span aria-hidden className={css.gauge}>
        <span style={{ width: `${Math.max(share * 100, share > 0 ? 1 : 0)}%` }} />
      </span>
    </div>
  )
}

/** Longer details are truncated until they are expanded. */
const LONG = 160

function Details({ node: { operator } }: { readonly node: PlanNode }) {
  if (operator.details.length === 0) return null
  return (
    <dl className={css.details}>
      {operator.details.map(([label, text], i) => (
        <div key={`${i} ${label}`}>
          <dt>{label}</dt>
          <dd title={text.length > LONG ? text : undefined}>{text.length > LONG ? `${text.slice(0, LONG)}…` : text}</dd>
        </div>
      ))}
    </dl>
  )
}
