import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

interface Props {
  /** What the screen does with it. */
  readonly effect: string
  readonly flush?: boolean
  readonly disabled?: boolean
  /** Takes it as a table all the same. */
  readonly onTake: () => void
}

/** Says that a file is a text about the others, and so isn't taken for a table. */
export function AsideNotice({ effect, flush = false, disabled = false, onTake }: Props) {
  return (
    <Notice
      tone="info"
      live="status"
      flush={flush}
      actions={
        <Button size="small" disabled={disabled} onClick={onTake}>
          Take it as a table
        </Button>
      }
    >
      <p>
        <strong>This looks like a text about the other files, not like a table.</strong> {effect}
      </p>
    </Notice>
  )
}
