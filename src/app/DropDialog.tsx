import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Database from 'lucide-react/icons/database'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { useId, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Choices, type Choice } from '../ui/fields/Choices.tsx'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { plural } from '../ui/format.ts'

export type DropUse = 'convert' | 'query' | 'dataset'

interface Props {
  readonly files: readonly File[]
  /** What is chosen to begin with. */
  readonly first: DropUse
  readonly onUse: (use: DropUse) => void
  readonly onClose: () => void
}

const USES: readonly Choice<DropUse>[] = [
  {
    value: 'convert',
    label: 'Convert',
    hint: 'Look at what’s in it, correct the types, get it in another format.',
    icon: <ArrowLeftRight aria-hidden />,
  },
  {
    value: 'query',
    label: 'Query',
    hint: 'Ask questions of them in SQL, without publishing. Scripts (.sql) open in the editor.',
    icon: <SquareTerminal aria-hidden />,
  },
  {
    value: 'dataset',
    label: 'Add to a dataset',
    hint: 'Each file becomes a table that can be browsed and queried.',
    icon: <Database aria-hidden />,
  },
]

/** Asks what dropped files are for. */
export default function DropDialog({ files, first, onUse, onClose }: Props) {
  const [use, setUse] = useState(first)
  const form = useId()
  const [only] = files
  const what = only && files.length === 1 ? `“${only.name}”` : plural(files.length, 'file')
  return (
    <Dialog
      title={`${what} ${files.length === 1 ? 'was' : 'were'} dropped`}
      open
      onClose={onClose}
      action={
        <Button type="submit" form={form} look="primary">
          Continue
        </Button>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          onUse(use)
        }}
      >
        <Choices label="What to do with it" value={use} choices={USES} onChange={setUse} />
      </form>
    </Dialog>
  )
}
