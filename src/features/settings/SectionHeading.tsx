import type { ReactNode } from 'react'
import { SECTIONS, type SectionId } from './sections.ts'
import css from './SettingsScreen.module.css'

/** A section's name, what it's about, and what can be done there first. */
export function SectionHeading({ id, children }: { readonly id: SectionId; readonly children?: ReactNode }) {
  const section = SECTIONS.find((one) => one.id === id)
  return (
    <header className={css.heading}>
      <div>
        <h2 className={css.name}>{section?.label}</h2>
        <p className={css.description}>{section?.description}</p>
      </div>
      {children}
    </header>
  )
}
