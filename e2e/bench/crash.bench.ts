import { expect, test } from '@playwright/test'
import { crashRounds, summarize, writeRounds } from './crash.ts'

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 100)

test('a tab that ends at a random moment loses nothing, leaves no half and no rest', async ({ browser }, info) => {
  test.setTimeout(60 * 60_000)
  const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
  const context = await browser.newContext({ acceptDownloads: true })
  const rounds = await crashRounds({
    browser,
    context,
    origin: process.env['ROWHOUSE_ORIGIN'] ?? 'http://localhost:4173',
    rounds: ROUNDS,
    seed,
    folder: info.outputPath('.'),
    // oxlint-disable-next-line no-console -- a run takes minutes
    onRound: (round, i) => console.log(i + 1, JSON.stringify(round)),
  })
  writeRounds(info.outputPath('rounds.ndjson'), rounds)
  // oxlint-disable-next-line no-console -- the measurement
  console.log(`seed ${seed}: ${rounds.length} tabs ended: ${summarize(rounds)}`)
  expect(rounds).toHaveLength(ROUNDS)
})
