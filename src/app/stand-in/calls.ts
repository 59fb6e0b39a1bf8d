/** Milliseconds for which an answer is kept: a service worker that was stopped is up again within moments. */
const KEPT = 10_000

interface Call {
  readonly cancel: AbortController
  readonly answer: Promise<Response>
}

/**
 * The calls that the page answers, by their ids. A browser that stops a service worker in the middle of a call hands the call to the
 * next one, and it comes again: it gets the answer of the first time, so that nothing is made twice.
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
