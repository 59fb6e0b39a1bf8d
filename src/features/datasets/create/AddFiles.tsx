import FilePlus from 'lucide-react/icons/file-plus'
import { useId } from 'react'
import { FileButton } from '../../../ui/fields/FileButton.tsx'
import { withUnpacked } from '../../shared/archives/index.ts'
import { useDatasets } from '../context.tsx'
import css from './Create.module.css'

/** The input for files; large as long as there are none. */
export function AddFiles({ disabled, large }: { readonly disabled: boolean; readonly large: boolean }) {
  const { creation } = useDatasets()
  const hint = useId()
  return (
    <div className={large ? css.zone : css.bar}>
      {large ? <p className={css.zoneTitle}>Drop files anywhere in this window</p> : null}
      <FileButton
        look={large ? 'primary' : 'secondary'}
        icon={<FilePlus aria-hidden />}
        disabled={disabled}
        aria-describedby={hint}
        onFiles={(files) => void withUnpacked(files).then((all) => creation.addFiles(all))}
      >
        Add files
      </FileButton>
      <p id={hint} className={css.hint}>
        CSV, TSV, JSON, Excel, SQLite, Parquet or Arrow, also in a zip archive, or compressed by gzip, zstd or bzip2. At
        most 50 MB each; larger ones often fit as Parquet.
      </p>
    </div>
  )
}
