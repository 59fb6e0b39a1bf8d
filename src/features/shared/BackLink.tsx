import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import css from './BackLink.module.css'

/** A link to the parent screen. */
export function BackLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} className={css.back}>
      <ArrowLeft aria-hidden />
      {children}
    </Link>
  )
}
