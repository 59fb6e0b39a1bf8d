import { expect, test } from 'vitest'
import { LENGTHS, prove, TRIED } from '../../testing/encoding-proof.ts'

test('encodings', async () => {
  const tallies = await prove()
  console.log(`\nEncodings: ${TRIED.length}, each with the texts that it holds`)
  console.log('characters   files   right  right, but told as a guess  wrong, told as a guess  wrong, untold')
  for (const length of LENGTHS) {
    const { tried, right, doubted, guessed, wrong, failures } = tallies.get(length) ?? expect.unreachable()
    const share = (count: number): string => `${((100 * count) / tried).toFixed(2)} %`
    console.log(
      `${String(length).padStart(10)}  ${String(tried).padStart(6)}  ${share(right).padStart(8)}  ${share(doubted).padStart(26)}  ${share(guessed).padStart(22)}  ${String(wrong).padStart(13)}`,
    )
    if (process.env['FAILURES']) console.log(failures.join('\n'))
  }
  for (const length of LENGTHS) {
    const { tried, right, failures, wrong } = tallies.get(length) ?? expect.unreachable()
    expect(
      wrong,
      `${length}: wrong and untold\n${failures.filter((line) => line.startsWith('WRONG')).join('\n')}`,
    ).toBe(0)
    expect(right / tried).toBeGreaterThanOrEqual(length >= 200 ? 0.99 : length >= 20 ? 0.95 : 0)
  }
})
