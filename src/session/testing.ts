import type { Session, SessionState, SessionStore } from './session.ts'

/** For tests: a store with a session, or without one, that never changes. */
export function sessionStore(session: Partial<Session> | null): SessionStore {
  const state: SessionState = session ? { status: 'ready', session: session as Session } : { status: 'connecting' }
  const never = (): Promise<never> => Promise.reject(new Error('not asked for'))
  return {
    snapshot: () => state,
    subscribe: () => () => undefined,
    ready: () => (session ? Promise.resolve(session as Session) : never()),
    switchWorkspace: never,
    connect: never,
    onChange: () => () => undefined,
  }
}
