import { completionStatus, startCompletion } from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import { fireEvent, render, screen } from '@testing-library/react'
import { createRef, useState } from 'react'
import { expect, it, vi } from 'vitest'
import type { Schema } from '../../../lib/duckdb-sql/index.ts'
import Editor from './Editor.tsx'
import type { SqlEditorHandle } from './handle.ts'

function open(value: string, local: Schema['local'] = []) {
  const ref = createRef<SqlEditorHandle>()
  const onChange = vi.fn()
  const editor = (text: string) => (
    <Editor
      ref={ref}
      documentId="a"
      value={text}
      onChange={onChange}
      session={null}
      schema={{ workspaces: [], local, temporary: [] }}
      problems={[]}
      onRun={() => undefined}
      onCancel={() => undefined}
    />
  )
  const { rerender } = render(editor(value))
  const shown = (): string | null => screen.getByRole('textbox', { name: 'SQL' }).textContent
  return { ref, onChange, shown, arrive: (text: string) => rerender(editor(text)) }
}

it('shows changes from another window', () => {
  const { onChange, shown, arrive } = open('SELECT 1')
  arrive('SELECT 2')
  expect(shown()).toBe('SELECT 2')
  expect(onChange).not.toHaveBeenCalled()
})

it('keeps what was typed just before that, and reports it', () => {
  const { ref, onChange, shown, arrive } = open('SELECT 1')
  ref.current?.replace('SELECT 3')
  arrive('SELECT 2')
  expect(shown()).toBe('SELECT 3')
  expect(onChange.mock.calls).toEqual([['SELECT 3']])
  arrive('SELECT 3')
  arrive('SELECT 4')
  expect(shown()).toBe('SELECT 4')
  expect(onChange).toHaveBeenCalledTimes(1)
})

it('closes the quotes with Enter, even of a complete path', async () => {
  const file = { id: '1', name: 'orders', rowCount: 1, reference: 'local.orders', columns: [], file: 'orders.csv' }
  const { shown } = open("FROM 'orders.csv'", [file])
  const box = screen.getByRole('textbox', { name: 'SQL' })
  const view = EditorView.findFromDOM(box)
  if (!view) throw new Error('there is no editor')
  view.dispatch({ selection: { anchor: view.state.doc.length - 1 } })
  startCompletion(view)
  await vi.waitFor(() => expect(completionStatus(view.state)).toBe('active'))
  // Right after a list has appeared, keys still belong to the text.
  await new Promise((resolve) => setTimeout(resolve, 100))
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
  expect(view.state.doc.toString()).toBe("FROM 'orders.csv'")
  expect(view.state.selection.main.head).toBe(view.state.doc.length)
  expect(shown()).toBe("FROM 'orders.csv'")
})

it('runs what was typed just before the keys', () => {
  const ran: string[] = []
  function Held() {
    const [text, setText] = useState('SELECT 1')
    return (
      <Editor
        documentId="held"
        value={text}
        onChange={setText}
        session={null}
        schema={{ workspaces: [], local: [], temporary: [] }}
        problems={[]}
        onRun={() => ran.push(text)}
        onCancel={() => undefined}
      />
    )
  }
  render(<Held />)
  const box = screen.getByRole('textbox', { name: 'SQL' })
  EditorView.findFromDOM(box)?.dispatch({ changes: { from: 8, insert: '2' } })
  // Not by `fireEvent`, which waits until all is rendered.
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, ctrlKey: true, bubbles: true }))
  expect(ran).toEqual(['SELECT 12'])
})
