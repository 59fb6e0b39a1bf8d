import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'

type Field = HTMLInputElement | HTMLTextAreaElement

const FIELDS = 'input:not(:disabled), textarea:not(:disabled)'
const CONTROLS = `${FIELDS}, button:not(:disabled)`

const isField = (element: Element): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

interface CellKeys {
  readonly onFocus: (event: FocusEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Makes the controls in a grid's cells one Tab stop, as ARIA's practices ask for: arrows and Page Up and Down move between
 * them, and Enter moves a field down. Left and Right move within a field's text until its end; F2 goes there from a text that is
 * selected as a whole, as in spreadsheets. Null unless `enabled`.
 */
export function useCellFocus(grid: RefObject<HTMLElement | null>, enabled: boolean): CellKeys | null {
  const current = useRef<Element>(null)
  // After every rendering: rows and their controls come and go.
  useLayoutEffect(() => {
    if (enabled && grid.current) oneTabStop(grid.current, current.current)
  })
  if (!enabled) return null
  return {
    onFocus: ({ target }) => {
      if (!grid.current || !target.matches(CONTROLS)) return
      current.current = target
      oneTabStop(grid.current, target)
    },
    onKeyDown: (event) => {
      const from = event.target as HTMLElement
      if (!from.matches(CONTROLS) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const next = controlAfter(event.key, from)
      if (next === undefined) return
      event.preventDefault()
      if (!next && event.key === 'Enter') {
        // What is in a field is saved by leaving it.
        from.blur()
        from.focus()
      }
      next?.focus()
      if (next && isField(next)) next.select()
    },
  }
}

function oneTabStop(grid: HTMLElement, current: Element | null): void {
  const controls = [...grid.querySelectorAll<HTMLElement>(CONTROLS)]
  const stop = controls.find((control) => control === current) ?? grid.querySelector(FIELDS) ?? controls[0]
  for (const control of controls) control.tabIndex = control === stop ? 0 : -1
}

/** The control that a key moves to; null if there's none, undefined if the key does something else. */
function controlAfter(key: string, from: HTMLElement): HTMLElement | null | undefined {
  switch (key) {
    case 'ArrowUp':
      return inColumn(from, 'previousElementSibling')
    case 'ArrowDown':
      return inColumn(from, 'nextElementSibling')
    case 'PageUp':
      return aPage(from, 'previousElementSibling')
    case 'PageDown':
      return aPage(from, 'nextElementSibling')
    case 'Enter':
      return isField(from) ? inColumn(from, 'nextElementSibling') : undefined
    case 'ArrowLeft':
      return isAtEdge(from, 'start') ? inRow(from, -1) : undefined
    case 'ArrowRight':
      return isAtEdge(from, 'end') ? inRow(from, 1) : undefined
    case 'F2':
      if (isField(from)) from.setSelectionRange(from.value.length, from.value.length)
      return isField(from) ? null : undefined
    default:
      return undefined
  }
}

/** Whether an arrow leaves a control: a field's text is selected as a whole, or the caret is at its edge. */
function isAtEdge(control: Element, edge: 'start' | 'end'): boolean {
  if (!isField(control)) return true
  const { selectionStart, selectionEnd, value } = control
  if (selectionStart === 0 && selectionEnd === value.length) return true
  return selectionStart === selectionEnd && selectionStart === (edge === 'start' ? 0 : value.length)
}

/** The control beside it in its row. */
function inRow(from: Element, step: -1 | 1): HTMLElement | null {
  const controls = [...(from.closest('tr')?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])]
  return controls[controls.findIndex((control) => control === from) + step] ?? null
}

/** Rows that Page Down moves by. */
const PAGE = 8

/** The control in the same column a page away, or in the last row before that. */
function aPage(from: Element, direction: 'previousElementSibling' | 'nextElementSibling'): HTMLElement | null {
  let found: HTMLElement | null = null
  for (let step = 0; step < PAGE; step++) found = inColumn(found ?? from, direction) ?? found
  return found
}

/** The control in the same column of the nearest row in a direction that has one there. */
function inColumn(from: Element, direction: 'previousElementSibling' | 'nextElementSibling'): HTMLElement | null {
  const column = from.closest('td')?.getAttribute('aria-colindex')
  let row = from.closest('tr')?.[direction]
  let found: HTMLElement | null = null
  for (; row && !found; row = row[direction]) {
    const cell = row.querySelector(`td[aria-colindex="${column}"]`)
    found = cell?.querySelector<HTMLElement>(FIELDS) ?? cell?.querySelector<HTMLElement>(CONTROLS) ?? null
  }
  return found
}
