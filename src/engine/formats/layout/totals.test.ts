import { expect, test } from 'vitest'
import { isTotalLabel } from './ends.ts'

test.each([
  ['Total', 'TOTAL', 'Grand Total', 'Subtotal', 'Total général', 'Totals:'],
  // Excel's labels for totals of tables and pivot tables.
  [
    'Ergebnis',
    'Gesamtergebnis',
    'Eindtotaal',
    'Totalsumma',
    'Hovedtotal',
    'Suma końcowa',
    'Общий итог',
    '総計',
    '총합계',
  ],
  ['Summe', 'Gesamt', 'Somme', 'Razem', 'Итого', '合計', ' Total '],
])('%s and others call a row a total', (...labels) => {
  for (const label of labels) expect([label, isTotalLabel(label)]).toEqual([label, true])
})

test.each(['Totalizer', 'North Total', 'Summer', 'Ergebnisse', 'Sumatra', 'Somalia', ''])('%s doesn’t', (label) => {
  expect(isTotalLabel(label)).toBe(false)
})
