import { useState } from 'react'
import { quoteReference } from '../../../lib/duckdb-sql/index.ts'
import { FormDialog } from '../../../ui/overlays/Dialog.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { useSql } from '../context.tsx'
import type { LocalTableRecord } from '../types.ts'
import { keepProblem } from '../database.ts'
import css from './Local.module.css'
import { NameError } from './tables.ts'

interface Props {
  readonly table: LocalTableRecord
  readonly onClose: () => void
}

export function RenameDialog({ table, onClose }: Props) {
  const { tables } = useSql().local
  const [name, setName] = useState(table.name)
  const [failure, setFailure] = useState<string | null>(null)
  const problem = name === table.name ? null : tables.nameProblem(table.id, name)
  const rename = async (): Promise<void> => {
    if (problem) return
    try {
      if (name !== table.name) await tables.rename(table.id, name)
      onClose()
    } catch (error) {
      setFailure(error instanceof NameError ? error.message : keepProblem(error))
    }
  }
  return (
    <FormDialog
      title={`Rename “${table.name}”`}
      description={table.kept ? 'Made by a statement.' : `Made of “${table.source.name}”.`}
      action="Rename"
      disabled={problem !== null}
      onClose={onClose}
      onSubmit={() => void rename()}
    >
      <TextField
        label="Name"
        error={problem ?? failure}
        hint={
          <>
            In statements it’s{' '}
            <code className={css.code}>{quoteReference([table.kept ? 'my' : 'local', name.trim() || table.name])}</code>
            . Those that you wrote aren’t changed: where they name <code className={css.code}>{table.name}</code>, they
            have to be.
          </>
        }
        mono
        value={name}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(next) => {
          setName(next)
          setFailure(null)
        }}
      />
    </FormDialog>
  )
}
