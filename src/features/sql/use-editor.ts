import { useCallback, useEffect, useRef, type RefObject } from 'react'
import type { SqlEditorHandle } from './parts.ts'
import type { SqlTab } from './types.ts'

/**
 * The editor of the tab that's shown, and what takes it when it's there. A tab that comes empty, after the first one,
 * has the focus in its editor: whoever made it wants to write.
 */
export function useEditor(
  active: SqlTab | null,
): readonly [RefObject<SqlEditorHandle | null>, (handle: SqlEditorHandle | null) => void] {
  const editor = useRef<SqlEditorHandle>(null)
  const shown = useRef<string | null>(null)
  const wanted = useRef(false)
  const id = active?.id ?? null
  const empty = active?.text === ''
  useEffect(() => {
    if (id === null || shown.current === id) return
    // Arrow keys along the tabs keep the focus there.
    wanted.current = shown.current !== null && empty && document.activeElement?.getAttribute('role') !== 'tab'
    shown.current = id
    if (wanted.current) editor.current?.focus()
  }, [id, empty])
  const take = useCallback((handle: SqlEditorHandle | null) => {
    editor.current = handle
    if (!handle || !wanted.current) return
    handle.focus()
    // Before its view is there, focusing does nothing.
    wanted.current = document.activeElement?.getAttribute('role') !== 'textbox'
  }, [])
  return [editor, take]
}
