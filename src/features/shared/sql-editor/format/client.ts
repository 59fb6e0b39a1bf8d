import type { Answer } from './worker.ts'

const LONGEST_MS = 15_000

/**
 * Formats a text in a worker.
 * @throws {Error} with a message for the person; then keep the text as it is
 */
export async function format(text: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'format' })
  const within = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('The formatter stopped.')))
      within.addEventListener('abort', () =>
        reject(signal.aborted ? signal.reason : new Error('Formatting it takes too long: select a part of it.')),
      )
      worker.postMessage(text)
    })
    if ('error' in answer) throw new Error(inWords(answer.error))
    return answer.text
  } finally {
    worker.terminate()
  }
}

/** The formatter's message without the parts meant for developers. */
function inWords(message: string): string {
  const place = /at line (\d+) column \d+/.exec(message)?.[1]
  if (/^Parse error|Unexpected|dialect/i.test(message))
    return `${place ? `Line ${place} isn’t understood` : 'It isn’t understood'}. Nothing was changed.`
  return `${message} Nothing was changed.`
}
