import Search from 'lucide-react/icons/search'
import { lazy, Suspense } from 'react'
import { NavLink } from 'react-router'
import { Logo } from './Logo.tsx'
import { SCREENS } from './screens.ts'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import css from './Shell.module.css'

const WorkspaceMenu = lazy(() => import('./WorkspaceMenu.tsx'))

/**
 * Where the screens are reached from: at the left, on a phone at the top and (with more than one) at the bottom.
 * @param idle what the first paint doesn't need may come
 */
export function Rail({ onPalette, idle }: { readonly onPalette: () => void; readonly idle: boolean }) {
  return (
    <header className={css.rail}>
      <NavLink to="/" className={css.brand} aria-label="Rowhouse, home">
        <Logo />
        <span className={css.brandName}>Rowhouse</span>
      </NavLink>
      <nav aria-label="Screens" className={css.nav} data-count={SCREENS.length}>
        {SCREENS.map(({ path, label, icon: Icon }) => (
          <NavLink key={path} to={path} className={css.item}>
            <Icon aria-hidden />
            {label}
          </NavLink>
        ))}
      </nav>
      <div className={css.foot}>
        <Suspense>{idle ? <WorkspaceMenu className={css.item} /> : null}</Suspense>
        <button
          type="button"
          className={css.item}
          onClick={onPalette}
          title="Commands (Ctrl K)"
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Search aria-hidden />
          Commands
        </button>
        <ThemeSwitch className={css.item} />
      </div>
    </header>
  )
}
