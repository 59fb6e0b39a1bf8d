import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openText } from './text-stream.ts'
import { readSample } from './sample.ts'

const signal = new AbortController().signal

describe('gzip', () => {
  it('holds little of a bomb', async () => {
    const bomb = gzipSync(new Uint8Array(300_000_000), { level: 1 })
    let total = 0
    let largest = 0
    const file = new Blob([bomb])
    for await (const part of openText(file, { compression: 'gzip', encoding: 'utf-8', signal })) {
      total += part.length
      largest = Math.max(largest, part.length)
    }
    expect(total).toBe(300_000_000)
    expect(largest).toBeLessThan(4_000_000)
    const sample = await readSample(file, { compression: 'gzip', size: 1000, signal })
    expect(sample.length).toBe(1000)
  })
})
