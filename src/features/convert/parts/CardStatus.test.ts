import { expect, test } from 'vitest'
import { excerpts, toldApart } from './CardStatus.tsx'

test('readings of a line are shown from shortly before they differ', () => {
  const line = (name: string): string => `"02.01.2026";"02.01.2026";"Caf${name} Zo";"Gutschrift"`
  expect(excerpts([line('é'), line('ķ')])).toEqual([
    '…02.01.2026";"Café Zo";"Gutschrift"',
    '…02.01.2026";"Cafķ Zo";"Gutschrift"',
  ])
  expect(excerpts(['2,Müller', '2,Mьller'])).toEqual(['2,Müller', '2,Mьller'])
})

test('encodings that read the line alike are one choice, and the chosen one stays', () => {
  const [western, baltic, euro] = [
    { encoding: 'windows-1252', sample: 'à r.l.' },
    { encoding: 'windows-1257', sample: 'ą r.l.' },
    { encoding: 'iso-8859-15', sample: 'à r.l.' },
  ]
  const all = [western, baltic, euro] as const
  expect(toldApart(all, 'windows-1252')).toEqual([western, baltic])
  expect(toldApart(all, 'iso-8859-15')).toEqual([baltic, euro])
  // If all encodings read the line alike, it can't tell them apart, so all are offered.
  expect(toldApart([western, euro], 'windows-1252')).toEqual([western, euro])
})
