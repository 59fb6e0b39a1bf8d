import FilePlus from 'lucide-react/icons/file-plus'
import FolderPlus from 'lucide-react/icons/folder-plus'
import { createContext, use, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { FileButton } from '../../../ui/fields/FileButton.tsx'
import { filesOfFolder } from '../../../ui/overlays/files-dropped.ts'
import { READABLE } from '../../../contract/formats.ts'
import { useConvert } from '../context.tsx'
import css from './AddFiles.module.css'

const FILES = 'add-files'
const FOLDER = 'add-folder'

function press(id: string): void {
  const input = document.querySelector<HTMLInputElement>(`#${id}`)
  input?.click()
}

/** Opens the browser's file picker, as pressing "Add files" does. */
export const pickFiles = (): void => press(FILES)
export const pickFolder = (): void => press(FOLDER)

const Host = createContext<HTMLElement | null>(null)

/**
 * Has the file inputs, which look like buttons, for as long as the screen is shown: one that the person is choosing files for
 * must not go because the screen has another look meanwhile. `AddFiles` says where they stand.
 */
export function AddFilesProvider({ large, children }: { readonly large: boolean; readonly children: ReactNode }) {
  const [host] = useState(() => Object.assign(document.createElement('div'), { className: css.row }))
  return (
    <Host value={host}>
      {children}
      {createPortal(<Inputs large={large} />, host)}
    </Host>
  )
}

/** Where the file inputs stand: one such place is on the page at a time. */
export function AddFiles() {
  const host = use(Host)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (host) place.current?.append(host)
  }, [host])
  return <div ref={place} className={css.place} />
}

function Inputs({ large }: { readonly large: boolean }) {
  const { addFiles } = useConvert()
  const hint = useId()
  const size = large ? 'large' : 'medium'
  return (
    <>
      <FileButton
        id={FILES}
        look={large ? 'primary' : 'secondary'}
        size={size}
        icon={<FilePlus aria-hidden />}
        aria-describedby={large ? hint : undefined}
        onFiles={(files) => void addFiles(files)}
      >
        Add files
      </FileButton>
      <FileButton
        id={FOLDER}
        look="quiet"
        size={size}
        icon={<FolderPlus aria-hidden />}
        {...{ webkitdirectory: '' }}
        onFiles={(files) => void addFiles(filesOfFolder(files))}
      >
        Add a folder
      </FileButton>
      {large ? (
        <span id={hint} className="visually-hidden">
          {READABLE}, also in a zip archive, or compressed by gzip, zstd or bzip2
        </span>
      ) : null}
    </>
  )
}
