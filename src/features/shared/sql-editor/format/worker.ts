import { asError } from '../../../../lib/errors.ts'
import { formatted } from './format.ts'
import { layout } from './layout.ts'

/* Formats in a worker, since long texts take seconds. */

export type Answer = { readonly text: string } | { readonly error: string }

addEventListener('message', ({ data }: MessageEvent<string>) => {
  let answer: Answer
  try {
    answer = { text: formatted(data, layout) }
  } catch (error) {
    answer = { error: asError(error).message }
  }
  postMessage(answer)
})
