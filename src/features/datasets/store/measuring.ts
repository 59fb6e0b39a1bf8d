import { isAbort } from '../../../lib/abort.ts'
import { explain } from '../../shared/problem.ts'
import type { Measure } from '../model/draft.ts'
import { toParquet } from '../model/parquet.ts'

/** Writes tables as Parquet to find out their sizes. */
export class Measuring {
  private readonly running = new Map<string, AbortController>()
  private readonly deps: Parameters<typeof toParquet>[0]

  constructor(deps: Parameters<typeof toParquet>[0]) {
    this.deps = deps
  }

  /** @param set is told the table's measure until the table is measured again */
  async run(id: string, table: Parameters<typeof toParquet>[1], set: (measure: Measure) => void): Promise<void> {
    const abort = new AbortController()
    this.running.set(id, abort)
    const report = (measure: Measure): void => {
      if (this.running.get(id) === abort) set(measure)
    }
    const progress = (share: number | null): void => report({ kind: 'measuring', progress: share })
    progress(null)
    try {
      const { bytes } = await toParquet(this.deps, table, abort.signal, progress, true)
      report({ kind: 'measured', bytes })
    } catch (error) {
      report(isAbort(error) ? { kind: 'none' } : { kind: 'failed', problem: explain(error, 'It wasn’t measured') })
    } finally {
      if (this.running.get(id) === abort) this.running.delete(id)
    }
  }

  stop(id: string): void {
    this.running.get(id)?.abort()
  }

  /** Stops all without reporting it. */
  stopAll(): void {
    for (const abort of this.running.values()) abort.abort()
    this.running.clear()
  }
}
