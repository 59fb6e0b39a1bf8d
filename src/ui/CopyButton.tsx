import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { copyText } from './overlays/copy-text.ts'

interface CopyButtonProps {
  /** Its accessible name, from which the announcement is made: "Copy id". */
  readonly label: string
  readonly text: string | (() => string)
  /** Shows only an icon. */
  readonly bare?: boolean
}

/** Copies text, and announces that it did. */
export function CopyButton({ label, text, bare = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => {
    void copyText(typeof text === 'string' ? text : text()).then(setCopied)
  }
  const icon = copied ? <Check aria-hidden /> : <Copy aria-hidden />
  if (bare) {
    return (
      <IconButton label={label} onClick={copy}>
        {icon}
      </IconButton>
    )
  }
  return (
    <Button size="small" look="quiet" icon={icon} onClick={copy}>
      {copied ? 'Copied' : label}
    </Button>
  )
}
