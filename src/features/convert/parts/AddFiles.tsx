import FilePlus from 'lucide-react/icons/file-plus'
import FolderPlus from 'lucide-react/icons/folder-plus'
import { useId } from 'react'
import { FileButton } from '../../../ui/fields/FileButton.tsx'
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

/** The file inputs themselves, which look like buttons. One of them is on the page at a time. */
export function AddFiles({ large = false }: { readonly large?: boolean }) {
  const { addFiles } = useConvert()
  const hint = useId()
  const size = large ? 'large' : 'medium'
  return (
    <div className={css.row}>
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
        onFiles={(files) => void addFiles(files)}
      >
        Add a folder
      </FileButton>
      {large ? (
        <span id={hint} className="visually-hidden">
          CSV, TSV, JSON, Excel, SQLite, Parquet or Arrow, also in a zip archive, or compressed by gzip, zstd or bzip2
        </span>
      ) : null}
    </div>
  )
}
