import { useEffect, useState } from 'react'
import { Store } from '../../../lib/store.ts'
import { useSession } from '../../../session/context.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import css from './Starting.module.css'

/** Milliseconds without a message, since most answers arrive in that time. */
const SOON = 400

/** A service elsewhere has its own engine, whose state isn't known. */
const ELSEWHERE = new Store(true)

/** While an answer is awaited, says that the engine is starting: it does so once per page, and takes seconds. */
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

/** Whether it has been true for a moment. */
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
