import { render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { expect, it, vi } from 'vitest'
import Editor from './Editor.tsx'
import type { SqlEditorHandle } from './handle.ts'

function open(value: string) {
  const ref = createRef<SqlEditorHandle>()
  const onChange = vi.fn()
  const editor = (text: string) => (
    <Editor
      ref={ref}
      documentId="a"
      value={text}
      onChange={onChange}
      session={null}
      schema={{ workspaces: [], local: [], temporary: [] }}
      problems={[]}
      onRun={() => undefined}
      onCancel={() => undefined}
    />
  )
  const { rerender } = render(editor(value))
  const shown = (): string | null => screen.getByRole('textbox', { name: 'SQL' }).textContent
  return { ref, onChange, shown, arrive: (text: string) => rerender(editor(text)) }
}

it('shows what comes from another window', () => {
  const { onChange, shown, arrive } = open('SELECT 1')
  arrive('SELECT 2')
  expect(shown()).toBe('SELECT 2')
  expect(onChange).not.toHaveBeenCalled()
})

it('keeps what was typed a moment before that, and gives it on', () => {
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
