import { useCallback } from 'react'
import { useNavigate, useParams } from 'react-router'
import { focusMain } from '../../ui/focus.ts'
import { useConvert } from './context.tsx'
import type { Unwanted } from './store/removal.ts'

/** Removes what isn't wanted any more. Where that is all that the address shows, the whole queue is shown instead. */
export function useRemove(): (unwanted: Unwanted) => void {
  const { remove } = useConvert()
  const { job: chosen } = useParams()
  const navigate = useNavigate()
  return useCallback(
    (unwanted) => {
      const ids = [...(unwanted.ids ?? []), ...(unwanted.records ?? []).map(({ id }) => id)]
      const card = document.activeElement?.closest('section[data-stage]')
      const next = card?.nextElementSibling ?? card?.previousElementSibling
      void remove(unwanted).then(() => {
        if (next?.isConnected) next.querySelector<HTMLElement>('header a')?.focus()
        else focusMain()
      })
      if (chosen && ids.includes(chosen)) void navigate('/convert')
    },
    [remove, navigate, chosen],
  )
}
