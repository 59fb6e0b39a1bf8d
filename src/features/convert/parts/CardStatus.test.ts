import { expect, test } from 'vitest'
import { excerpts } from './CardStatus.tsx'

test('what encodings make of a line is shown from shortly before it differs', () => {
  const line = (name: string): string => `"02.01.2026";"02.01.2026";"Caf${name} Zo";"Gutschrift"`
  expect(excerpts([line('é'), line('ķ')])).toEqual([
    '…02.01.2026";"Café Zo";"Gutschrift"',
    '…02.01.2026";"Cafķ Zo";"Gutschrift"',
  ])
  expect(excerpts(['2,Müller', '2,Mьller'])).toEqual(['2,Müller', '2,Mьller'])
})
