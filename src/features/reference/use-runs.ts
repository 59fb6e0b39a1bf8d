import { asError } from '../../lib/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RequestParts } from '../../contract/snippets/index.ts'
import { topicKey } from '../../session/context.tsx'
import { refetch } from '../../session/refetch.ts'
import type { Session } from '../../session/session.ts'
import { announce } from '../../ui/overlays/announce.tsx'
import { send, type Outcome } from './model/send.ts'

export type Run =
  | { readonly status: 'running' }
  | { readonly status: 'answered'; readonly outcome: Outcome; readonly sent: string | null }
  | { readonly status: 'failed'; readonly message: string }

export interface Runs {
  readonly of: (operation: string) => Run | null
  readonly start: (operation: string, request: RequestParts) => void
  readonly cancel: (operation: string) => void
}

/** The last request of each operation. Running ones are cancelled when the screen is left. */
export function useRuns(session: Session): Runs {
  const [runs, setRuns] = useState<Readonly<Record<string, Run | null>>>({})
  const controllers = useRef(new Map<string, AbortController>())
  const queries = useQueryClient()
  useEffect(() => {
    const { current } = controllers
    return () => {
      for (const controller of current.values()) controller.abort()
    }
  }, [])

  const set = (operation: string, run: Run | null): void => setRuns((before) => ({ ...before, [operation]: run }))

  const start = (operation: string, request: RequestParts): void => {
    controllers.current.get(operation)?.abort()
    const controller = new AbortController()
    controllers.current.set(operation, controller)
    set(operation, { status: 'running' })
    send(request, session.connection.key, controller.signal).then(
      (outcome) => {
        if (controller.signal.aborted) return
        set(operation, { status: 'answered', outcome, sent: request.body })
        announce(`Answered with status ${outcome.status}`)
        if (request.method !== 'GET') refetch(queries, { queryKey: topicKey(session, 'datasets') })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        const message = asError(error).message
        set(operation, { status: 'failed', message })
        announce('The request failed')
      },
    )
  }
  return {
    of: (operation) => runs[operation] ?? null,
    start,
    cancel: (operation) => {
      controllers.current.get(operation)?.abort()
      set(operation, null)
    },
  }
}
