import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Database from 'lucide-react/icons/database'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { useId, type ReactNode } from 'react'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { plural } from '../ui/format.ts'
import css from './DropDialog.module.css'

export type DropUse = 'convert' | 'query' | 'dataset'

interface Props {
  readonly files: readonly File[]
  /** The most likely use. */
  readonly first: DropUse
  readonly onUse: (use: DropUse) => void
  readonly onClose: () => void
}

interface Use {
  readonly use: DropUse
  readonly label: string
  readonly hint: string
  readonly icon: ReactNode
}

const USES: readonly Use[] = [
  {
    use: 'convert',
    label: 'Convert',
    hint: 'Look at what’s in it, correct the types, get it in another format.',
    icon: <ArrowLeftRight aria-hidden />,
  },
  {
    use: 'query',
    label: 'Query',
    hint: 'Ask questions in SQL, without publishing. Scripts (.sql) open in the editor.',
    icon: <SquareTerminal aria-hidden />,
  },
  {
    use: 'dataset',
    label: 'Add to a dataset',
    hint: 'Each file becomes a table that can be browsed and queried.',
    icon: <Database aria-hidden />,
  },
]

/** Asks what to do with dropped files. The most likely use comes first and has the focus, so that Enter chooses it. */
export default function DropDialog({ files, first, onUse, onClose }: Props) {
  const id = useId()
  const [only] = files
  const what = only && files.length === 1 ? `“${only.name}”` : plural(files.length, 'file')
  const uses = [...USES.filter(({ use }) => use === first), ...USES.filter(({ use }) => use !== first)]
  return (
    <Dialog title={`What to do with ${what}?`} open onClose={onClose}>
      <div className={css.uses}>
        {uses.map(({ use, label, hint, icon }) => (
          <button
            key={use}
            type="button"
            className={css.use}
            aria-labelledby={`${id}-${use}`}
            aria-describedby={`${id}-${use}-hint`}
            onClick={() => onUse(use)}
          >
            {icon}
            <span className={css.words}>
              <span id={`${id}-${use}`} className={css.name}>
                {label}
              </span>
              <span id={`${id}-${use}-hint`} className={css.hint}>
                {hint}
              </span>
            </span>
          </button>
        ))}
      </div>
    </Dialog>
  )
}
