import Download from 'lucide-react/icons/download'
import Paintbrush from 'lucide-react/icons/paintbrush'
import type { ComponentProps } from 'react'
import { Button } from '../../../../ui/Button.tsx'

/* Shown, disabled, before there's a chart to style or save: otherwise what stands beside them would move when it comes. */

export function StyleButton(props: ComponentProps<'button'>) {
  return (
    <Button size="small" look="quiet" icon={<Paintbrush aria-hidden />} {...props}>
      Style
    </Button>
  )
}

export function SaveButton(props: ComponentProps<'button'>) {
  return (
    <Button size="small" look="quiet" icon={<Download aria-hidden />} {...props}>
      Save picture
    </Button>
  )
}
