import { describe, expect, it, vi } from 'vitest'
import type { ConvertStage } from './convert/convert.ts'
import { readerOf } from './formats/registry.ts'
import type { InspectionHelper } from './formats/types.ts'
import { inspectFile } from './convert/inspect.ts'
import { secondThread } from './testing/second-thread.ts'
import { warmUp, warmUpTable } from './warm-up.ts'

const quiet = { signal: new AbortController().signal, progress: () => undefined }

/** The second thread's work, done in this one. */
function threads() {
  const ended = vi.fn()
  const startHelper = vi.fn((): InspectionHelper => ({
    inspectRest: async (format, file, settings, from) =>
      (await (await readerOf(format)).inspectRest?.(file, settings, from, quiet)) ?? null,
    end: ended,
  }))
  const startStage = vi.fn((): ConvertStage => secondThread({ end: ended }))
  return { startHelper, startStage, ended }
}

describe('warming up', () => {
  it('converts in one thread and in two, and ends what it began', async () => {
    const { startHelper, startStage, ended } = threads()
    expect(await warmUp({ wanted: new AbortController().signal, startHelper, startStage, rest: 0 })).toBe(true)
    expect(startHelper).toHaveBeenCalled()
    // A table of each kind, four times.
    expect(startStage).toHaveBeenCalledTimes(8)
    expect(ended).toHaveBeenCalledTimes(startHelper.mock.calls.length + startStage.mock.calls.length)
  })

  it('does nothing when somebody comes at once', async () => {
    const { startHelper, startStage } = threads()
    const wanted = new AbortController()
    const warming = warmUp({ wanted: wanted.signal, startHelper, startStage, rest: 1_000_000 })
    wanted.abort()
    expect(await warming).toBe(false)
    expect(startHelper).not.toHaveBeenCalled()
  })

  it('ends behind the step that runs when somebody comes', async () => {
    const { startHelper, startStage, ended } = threads()
    const wanted = new AbortController()
    startHelper.mockImplementationOnce(() => {
      wanted.abort()
      return { inspectRest: () => Promise.resolve(null), end: ended }
    })
    expect(await warmUp({ wanted: wanted.signal, startHelper, startStage, rest: 0 })).toBe(false)
    expect(ended).toHaveBeenCalledTimes(1)
    expect(startStage).not.toHaveBeenCalled()
  })

  it('has a table of the types that tables mostly have', async () => {
    const { inspection } = await inspectFile(new File([warmUpTable(2000)], 'a.csv'), {}, quiet)
    const [table] = inspection.tables
    expect(table?.rows).toBe(2000)
    expect(new Set(table?.columns.map(({ type }) => type.replace(/\(.*/, '')))).toEqual(
      new Set(['INTEGER', 'VARCHAR', 'DECIMAL', 'DOUBLE', 'BIGINT', 'DATE', 'TIME', 'TIMESTAMP', 'BOOLEAN']),
    )
  })
})
