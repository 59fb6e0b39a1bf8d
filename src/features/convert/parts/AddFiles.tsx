import FilePlus from 'lucide-react/icons/file-plus'
import FolderPlus from 'lucide-react/icons/folder-plus'
import { useId } from 'react'
import { cx } from '../../../ui/cx.ts'
import { useConvert } from '../context.tsx'
import button from '../../../ui/Button.module.css'
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
  const size = large ? button['large'] : button['medium']
  const take = (input: HTMLInputElement): void => {
    const files = [...(input.files ?? [])].filter((file) => !file.name.startsWith('.'))
    // Emptied, so that the same file can be chosen again.
    input.value = ''
    void addFiles(files)
  }
  return (
    <div className={css.row}>
      <label className={cx(button['button'], button[large ? 'primary' : 'secondary'], size, css.label)}>
        <FilePlus aria-hidden />
        Add files
        <input
          id={FILES}
          type="file"
          multiple
          className={css.input}
          aria-describedby={large ? hint : undefined}
          onChange={(event) => take(event.currentTarget)}
        />
      </label>
      <label className={cx(button['button'], button['quiet'], size, css.label)}>
        <FolderPlus aria-hidden />
        Add a folder
        <input
          id={FOLDER}
          type="file"
          multiple
          className={css.input}
          {...{ webkitdirectory: '' }}
          onChange={(event) => take(event.currentTarget)}
        />
      </label>
      {large ? (
        <span id={hint} className="visually-hidden">
          CSV, TSV, JSON, Excel, Parquet or Arrow, also gzip-compressed
        </span>
      ) : null}
    </div>
  )
}
