import FilePlus from 'lucide-react/icons/file-plus'
import { useId } from 'react'
import { cx } from '../../../ui/cx.ts'
import { useDatasets } from '../context.tsx'
import button from '../../../ui/Button.module.css'
import css from './Create.module.css'

/** The input for files, which looks like a button; large as long as there are none. */
export function AddFiles({ disabled, large }: { readonly disabled: boolean; readonly large: boolean }) {
  const { creation } = useDatasets()
  const hint = useId()
  return (
    <div className={large ? css.zone : css.bar}>
      {large ? <p className={css.zoneTitle}>Drop files anywhere in this window</p> : null}
      <label
        className={cx(button['button'], button[large ? 'primary' : 'secondary'], button['medium'], css.add)}
        data-disabled={disabled}
      >
        <FilePlus aria-hidden />
        Add files
        <input
          type="file"
          multiple
          disabled={disabled}
          aria-describedby={hint}
          className={css.input}
          onChange={(event) => {
            const input = event.currentTarget
            const files = [...(input.files ?? [])].filter((file) => !file.name.startsWith('.'))
            // Emptied, so that the same file can be chosen again.
            input.value = ''
            creation.addFiles(files)
          }}
        />
      </label>
      <p id={hint} className={css.hint}>
        CSV, TSV, JSON, Excel, Parquet or Arrow, also gzip-compressed. At most 50 MB each; larger ones often fit as
        Parquet.
      </p>
    </div>
  )
}
