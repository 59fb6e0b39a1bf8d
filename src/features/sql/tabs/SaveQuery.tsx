import { useEffect } from 'react'
import { toast } from '../../../ui/toasts.ts'
import { useStore } from '../../../ui/use-store.ts'
import { useSql } from '../context.tsx'
import type { SqlTab } from '../types.ts'
import { NameDialog } from './NameDialog.tsx'

/** Keeps a tab's text and parameters under a name. */
export function SaveQuery({ tab, onClose }: { readonly tab: SqlTab; readonly onClose: () => void }) {
  const { saved, tabs, newId } = useSql()
  const { items } = useStore(saved)
  useEffect(() => void saved.load(), [saved])
  const save = async (name: string): Promise<void> => {
    onClose()
    const before = (items ?? []).find((each) => each.name.toLowerCase() === name.toLowerCase())
    const { text, parameters } = tabs.find(tab.id) ?? tab
    const kept = await saved.put({ id: before?.id ?? newId(), name, text, parameters, updatedAt: Date.now() })
    if (!kept) {
      const { problem } = saved.snapshot()
      toast({ title: `“${name}” wasn’t saved`, ...(problem ? { description: problem } : {}), tone: 'bad' })
      return
    }
    tabs.change(tab.id, { title: name })
    toast({
      title: `“${name}” saved`,
      tone: 'good',
      ...(before ? { action: { label: 'Undo', run: () => void saved.put(before) } } : {}),
    })
  }
  return (
    <NameDialog
      title="Save the query"
      action="Save"
      first={tab.title}
      taken={items?.map(({ name }) => name) ?? []}
      replaceHint="A query with this name is replaced."
      onName={(name) => void save(name)}
      onClose={onClose}
    />
  )
}
