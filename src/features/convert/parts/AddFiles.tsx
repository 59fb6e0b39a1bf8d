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

/** Opens the browser's file picker, like the "Add files" button. */
export const pickFiles = (): void => press(FILES)
export const pickFolder = (): void => press(FOLDER)

const Host = createContext<HTMLElement | null>(null)

/**
 * Keeps the file inputs mounted as long as the screen is shown: an input mustn't disappear while the person chooses
 * files, even if the layout changes. `AddFiles` determines where they appear.
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

/** The place of the file inputs. Only one may be on the page. */
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
