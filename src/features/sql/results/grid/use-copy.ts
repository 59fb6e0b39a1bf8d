import { useCallback, useEffect, useRef, useState } from 'react'
import type { CopyFormat, CopySelection, ResultSet, ResultTools } from '../../../../engine/client.ts'
import { isAbort } from '../../../../lib/abort.ts'
import { announce } from '../../../../ui/announce.ts'
import { plural } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/toasts.ts'

export type CopyCells = (cells: CopySelection, format: CopyFormat, headers: boolean) => void

/** Milliseconds. */
const SAID = 1800

/** Copies cells' exact values, and says that it did. A second copy gives up the first. */
export function useCopy(
  set: ResultSet,
  tools: ResultTools | null,
): { readonly copy: CopyCells; /** What was copied just now, in words. */ readonly copied: string | null } {
  const [copied, setCopied] = useState<string | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), SAID)
    return () => clearTimeout(timer)
  }, [copied])
  const running = useRef<AbortController | null>(null)
  const copy = useCallback<CopyCells>(
    (cells, format, headers) => {
      if (!tools) return
      running.current?.abort()
      const abort = new AbortController()
      running.current = abort
      const run = async (): Promise<void> => {
        try {
          const text = await tools.formatCells(set, cells, format, { headers, signal: abort.signal })
          await navigator.clipboard.writeText(text)
          const rows = cells.rows.to - cells.rows.from
          announce(`Copied ${plural(rows, 'row')}, ${plural(cells.columns.length, 'column')}`)
          setCopied(`Copied ${plural(rows * cells.columns.length, 'cell')}`)
        } catch (error) {
          if (!isAbort(error)) tell(error)
        }
      }
      void run()
    },
    [set, tools],
  )
  return { copy, copied }
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
