import { Link, useLocation } from 'react-router'
import css from './NotFound.module.css'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <div className={css.page}>
      <p className={css.code}>404</p>
      <h1 className={css.title}>Nobody lives at this address</h1>
      <p className={css.text}>
        There’s no page at <code>{pathname}</code>. The link may be old, or mistyped.
      </p>
      <Link to="/convert" className={css.link}>
        Go to Convert
      </Link>
    </div>
  )
}
