import { useEffect, useState } from 'react'
import { Store } from '../../../lib/store.ts'
import { useSession } from '../../../session/context.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import css from './Starting.module.css'

/** Milliseconds that nothing is said of: most answers are here by then. */
const SOON = 400

/** A service elsewhere has its own engine: what it's doing isn't known. */
const ELSEWHERE = new Store(true)

/** Says, as long as an answer is waited for, that the engine has yet to start: it does so once in a page, and takes seconds. */
export function Starting({ isWaiting }: { readonly isWaiting: boolean }) {
  const { local } = useSession()
  const hasAnswered = useStore(local?.hasAnswered ?? ELSEWHERE)
  const isShown = useIsLong(isWaiting && !hasAnswered)
  return (
    <output className={css.place}>
      {isShown ? (
        <span className={css.words}>
          <Spinner /> Starting the engine…
        </span>
      ) : null}
    </output>
  )
}

/** Whether it has been so for more than a moment. */
function useIsLong(is: boolean): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!is) return
    const timer = setTimeout(() => setIsLong(true), SOON)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [is])
  return is && isLong
}
