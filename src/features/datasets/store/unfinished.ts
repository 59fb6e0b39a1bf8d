import { z } from 'zod'
import { Store } from '../../../lib/store.ts'
import { storedText, type AskStorage } from '../../../lib/stored-text.ts'
import type { CreationStore } from './creation.ts'

const schema = z.object({
  name: z.string(),
  /** The dataset to which the files were to be added; null for a new one. */
  into: z.string().nullable(),
  files: z.array(z.string()),
  /** Whether the service was already asked to do it. */
  running: z.boolean(),
})

/** A creation that ended with its page, since a page can't keep files. */
export type Unfinished = z.infer<typeof schema>

/**
 * Writes down what is being created, and holds what an earlier page of this window left unfinished, until something
 * else is begun or the person has seen it.
 */
export class UnfinishedStore extends Store<Unfinished | null> {
  private readonly kept: ReturnType<typeof storedText>

  constructor(creation: CreationStore, storage: AskStorage = () => sessionStorage) {
    const kept = storedText('rowhouse-datasets-unfinished', storage)
    super(parsed(kept.read()))
    this.kept = kept
    creation.subscribe(() => {
      const { draft, stage } = creation.snapshot()
      // Files, not typed names, are what a reload loses for good.
      if (draft.files.length === 0) return this.state ? undefined : kept.write(null)
      if (this.state) this.set(null)
      const files = draft.files.map(({ file }) => file.name)
      const text = { name: draft.name, into: draft.into?.name ?? null, files, running: stage !== 'draft' }
      kept.write(JSON.stringify(text satisfies Unfinished))
    })
  }

  readonly forget = (): void => {
    this.kept.write(null)
    if (this.state) this.set(null)
  }
}

function parsed(text: string | null): Unfinished | null {
  try {
    return schema.parse(JSON.parse(text ?? 'null'))
  } catch {
    return null // Not written by this app.
  }
}
