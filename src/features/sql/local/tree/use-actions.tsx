import Braces from 'lucide-react/icons/braces'
import ClipboardCopy from 'lucide-react/icons/clipboard-copy'
import Database from 'lucide-react/icons/database'
import Eye from 'lucide-react/icons/eye'
import HardDriveDownload from 'lucide-react/icons/hard-drive-download'
import FileDown from 'lucide-react/icons/file-down'
import FileCode from 'lucide-react/icons/file-code'
import Pencil from 'lucide-react/icons/pencil'
import Sigma from 'lucide-react/icons/sigma'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import Trash2 from 'lucide-react/icons/trash-2'
import Upload from 'lucide-react/icons/upload'
import type { SchemaTable } from '../../../../lib/duckdb-sql/index.ts'
import type { MenuItem } from '../../../../ui/overlays/Menu.tsx'
import { copyText } from '../../../../ui/overlays/copy-text.ts'
import { toast, toastProblem } from '../../../../ui/overlays/toasts.ts'
import { useSql } from '../../context.tsx'
import { explainImport } from '../imports.ts'
import { createStatement, selectStatement, type TreeRow } from './nodes.ts'

interface Callbacks {
  /** Inserts a name into the editor, or `alone` if the editor is empty. */
  readonly onInsert: (text: string, alone?: string) => void
  /**
   * Runs a statement about a table in a new tab, or in the shown one (`here`) for temporary tables, which no other tab
   * has.
   */
  readonly onRun: (reference: string, statement: string, here: boolean) => void
  /** Exports a table. */
  readonly onExport: (table: SchemaTable) => void
  /** Opens the dataset's screen. */
  readonly onOpenDataset: (id: string) => void
  readonly onRename: (localId: string) => void
}

/** The menu items for a node, in groups. */
export function useActions(callbacks: Callbacks): (row: TreeRow) => readonly (readonly MenuItem[])[] {
  const { local, publish: toDatasets } = useSql()
  const { tables, imports } = local
  const publish = async (id: string): Promise<void> => toDatasets([await imports.publication(id)])
  return ({ kind, reference, table, datasetId, localId }) => {
    const groups: MenuItem[][] = []
    if (reference !== null && kind !== 'dataset') {
      const insert: MenuItem = {
        key: 'insert',
        label: 'Insert name',
        icon: <TextCursorInput aria-hidden />,
        keys: 'Enter',
        onSelect: () => callbacks.onInsert(reference),
      }
      const isHere = datasetId === null && localId === null
      groups.push(kind === 'table' && table ? [insert, ...ofTable(table, isHere, callbacks)] : [insert])
    }
    if (reference !== null) {
      groups.push([
        { key: 'copy', label: 'Copy name', icon: <ClipboardCopy aria-hidden />, onSelect: () => void copy(reference) },
        ...(kind === 'table' && table
          ? [
              {
                key: 'definition',
                label: 'Copy CREATE TABLE',
                icon: <Braces aria-hidden />,
                onSelect: () => void copy(createStatement(table)),
              },
            ]
          : []),
        // Tables of datasets are exported on the dataset's screen, since they may not be in this browser.
        ...(kind === 'table' && table && datasetId === null
          ? [
              {
                key: 'export',
                label: 'Export…',
                icon: <FileDown aria-hidden />,
                onSelect: () => callbacks.onExport(table),
              },
            ]
          : []),
      ])
    }
    if (datasetId !== null && kind !== 'column') {
      groups.push([
        {
          key: 'open',
          label: 'Open dataset',
          icon: <Database aria-hidden />,
          onSelect: () => callbacks.onOpenDataset(datasetId),
        },
      ])
    }
    if (localId !== null && kind === 'table') {
      groups.push([
        {
          key: 'rename',
          label: 'Rename…',
          icon: <Pencil aria-hidden />,
          keys: 'F2',
          onSelect: () => callbacks.onRename(localId),
        },
        ...(tables.find(localId)?.inPlace
          ? [
              {
                key: 'copy-in',
                label: 'Copy into this browser',
                icon: <HardDriveDownload aria-hidden />,
                onSelect: () => void orSay(imports.copyIn(localId)),
              },
            ]
          : []),
        {
          key: 'publish',
          label: 'Publish as a dataset…',
          icon: <Upload aria-hidden />,
          onSelect: () => void orSay(publish(localId)),
        },
        {
          key: 'remove',
          label: 'Remove',
          icon: <Trash2 aria-hidden />,
          keys: 'Delete',
          onSelect: () => void tables.remove(localId).catch(() => undefined),
        },
      ])
    }
    return groups
  }
}

function ofTable(table: SchemaTable, isHere: boolean, { onInsert, onRun }: Callbacks): MenuItem[] {
  const { reference } = table
  return [
    {
      key: 'select',
      label: 'Insert SELECT',
      icon: <FileCode aria-hidden />,
      onSelect: () => onInsert(selectStatement(table)),
    },
    {
      key: 'preview',
      label: 'Show first rows',
      icon: <Eye aria-hidden />,
      onSelect: () => onRun(reference, `SELECT * FROM ${reference} LIMIT 100`, isHere),
    },
    {
      key: 'summarize',
      label: 'Summarize columns',
      icon: <Sigma aria-hidden />,
      onSelect: () => onRun(reference, `SUMMARIZE ${reference}`, isHere),
    },
  ]
}

async function copy(name: string): Promise<void> {
  if (await copyText(name, name)) toast({ title: 'Copied', description: name })
}

/** Shows a toast if it fails. */
async function orSay(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    toastProblem(explainImport(error))
  }
}
