import { useEffect, useState } from 'react'
import { useSql } from '../context.tsx'
import type { SqlTab } from '../types.ts'

/** Milliseconds that typing pauses before the text is taken apart. */
const PAUSE = 250
const NONE: readonly string[] = []

/** Names of the `$name` parameters of a tab's statements, in the order of their first use. */
export function useParameters({ id, text }: SqlTab): readonly string[] {
  const { runner } = useSql()
  const [names, setNames] = useState(NONE)
  // A text without the sign needs no engine for that.
  const may = /\$\p{L}|\$_/u.test(text)
  useEffect(() => {
    if (!may) return
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      runner(id)
        .session()
        .split(text, { signal })
        .then(
          (statements) => setNames(unique(statements.flatMap(({ parameters }) => parameters))),
          // A text that can't be taken apart yet keeps the parameters that it had.
          () => undefined,
        )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [may, runner, id, text])
  return may ? names : NONE
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed()
}
