import { useCallback, useRef } from 'react'
import type { CopyFormat, CopySelection, ResultSet, ResultTools } from '../../../engine/client.ts'
import { isAbort } from '../../../lib/abort.ts'
import { announce } from '../../../ui/announce.ts'
import { plural } from '../../../ui/format.ts'
import { toast } from '../../../ui/toasts.ts'

export type CopyCells = (cells: CopySelection, format: CopyFormat, headers: boolean) => void

/** Copies cells' exact values, and says that it did. A second copy gives up the first. */
export function useCopy(set: ResultSet, tools: ResultTools | null): CopyCells {
  const running = useRef<AbortController | null>(null)
  return useCallback(
    (cells, format, headers) => {
      if (!tools) return
      running.current?.abort()
      const abort = new AbortController()
      running.current = abort
      const copy = async (): Promise<void> => {
        try {
          const text = await tools.formatCells(set, cells, format, { headers, signal: abort.signal })
          await navigator.clipboard.writeText(text)
          const rows = cells.rows.to - cells.rows.from
          announce(`Copied ${plural(rows, 'row')}, ${plural(cells.columns.length, 'column')}`)
          if (rows * cells.columns.length > 1) toast({ title: `Copied ${plural(rows * cells.columns.length, 'cell')}` })
        } catch (error) {
          if (!isAbort(error)) tell(error)
        }
      }
      void copy()
    },
    [set, tools],
  )
}

function tell(error: unknown): void {
  if (error instanceof RangeError) {
    toast({
      title: 'That’s too much to copy',
      description: 'Choose fewer cells, or export the result as a file.',
      tone: 'bad',
    })
    return
  }
  toast({ title: 'The browser didn’t allow copying', description: 'Click the grid, then try again.', tone: 'bad' })
}
