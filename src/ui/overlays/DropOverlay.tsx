import FileDown from 'lucide-react/icons/file-down'
import { useEffect, useRef, useState } from 'react'
import { bringsFiles, filesDropped } from './files-dropped.ts'
import css from './DropOverlay.module.css'

interface DropOverlayProps {
  readonly title: string
  readonly hint: string
  readonly onFiles: (files: readonly File[]) => void
}

/** Accepts files anywhere in the window, and shows that while they are dragged over it. */
export function DropOverlay({ title, hint, onFiles }: DropOverlayProps) {
  const [over, setOver] = useState(false)
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    // Each element that the pointer crosses fires `dragenter` and `dragleave`, so count how many are open.
    let depth = 0
    const enter = (event: DragEvent): void => {
      if (!bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      depth++
      setOver(true)
    }
    const move = (event: DragEvent): void => {
      if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    }
    const leave = (): void => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      depth = 0
      setOver(false)
      if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      void filesDropped(event.dataTransfer).then((files) => latest.current(files))
    }
    addEventListener('dragenter', enter)
    addEventListener('dragover', move)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragover', move)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return (
    <div className={css.overlay} data-over={over} aria-hidden>
      <div className={css.card}>
        <FileDown className={css.icon} />
        <p className={css.title}>{title}</p>
        <p className={css.hint}>{hint}</p>
      </div>
    </div>
  )
}
