/** Milliseconds for which answers are kept: a service worker that was stopped restarts within moments. */
const KEPT = 10_000

interface Call {
  readonly cancel: AbortController
  readonly answer: Promise<Response>
}

/**
 * The calls that the page answers, by id. If a browser stops a service worker during a call, it passes the call to the
 * next one, and it arrives again: then it gets the first answer, so that nothing is done twice.
 */
export class Calls {
  private readonly calls = new Map<string, Call>()

  async answer(id: string, run: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    const call = this.calls.get(id) ?? this.begin(id, run)
    return (await call.answer).clone()
  }

  cancel(id: string): void {
    this.calls.get(id)?.cancel.abort()
  }

  private begin(id: string, run: (signal: AbortSignal) => Promise<Response>): Call {
    const cancel = new AbortController()
    const call = { cancel, answer: run(cancel.signal) }
    this.calls.set(id, call)
    const forget = (): void => void this.calls.delete(id)
    call.answer.then(() => setTimeout(forget, KEPT), forget)
    return call
  }
}
