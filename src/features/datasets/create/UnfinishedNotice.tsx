import { Button } from '../../../ui/Button.tsx'
import { listOf } from '../../../ui/format.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useDatasets } from '../context.tsx'
import type { Unfinished } from '../store/unfinished.ts'

/** Most files that are named. */
const NAMED = 5

/**
 * Says that a reload of the page ended a creation, and which files to add again.
 * @param dismissable whether it has a button to dismiss it, where nothing else does
 */
export function UnfinishedNotice({ dismissable = false }: { readonly dismissable?: boolean }) {
  const { unfinished } = useDatasets()
  const left = useStore(unfinished)
  if (!left) return null
  return (
    <Notice
      tone="warn"
      live="status"
      flush
      actions={
        dismissable ? (
          <Button size="small" onClick={unfinished.forget}>
            Dismiss
          </Button>
        ) : null
      }
    >
      <p>{wordsOf(left)}</p>
    </Notice>
  )
}

function wordsOf({ name, into, files, running }: Unfinished): string {
  const list = listOf(files, NAMED)
  if (!running) {
    const what = into ? `the files were added to “${into}”` : `“${name}” was created`
    return `The page was reloaded before ${what}. Add ${list} again.`
  }
  return into
    ? `The page was reloaded while files were being added to “${into}”. If it lacks their rows, add ${list} again.`
    : `The page was reloaded while “${name}” was being created. If it isn’t among the datasets, add ${list} again.`
}
