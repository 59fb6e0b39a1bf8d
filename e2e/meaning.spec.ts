import { readFileSync } from 'node:fs'
import { expect, test } from './test.ts'
import * as XLSX from 'xlsx'
import { expectAccessible } from './accessible.ts'
import { convertTo, download, region } from './page.ts'

/** Windows-1252 text; all its characters except the euro sign are in Latin-1. */
const windows1252 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (char) => (char === '€' ? 0x80 : char.charCodeAt(0))))

const BANK = [
  'Buchungstag;Empfänger;Verwendungszweck;Betrag',
  '03.04.2025;Müller & Söhne;Rechnung 17;-1.234,56 €',
  '04.04.2025;Größer GmbH;Gutschrift;12,00 €',
  '07.04.2025;Café Zoë;;-3,50 €',
]

test('a bank’s CSV becomes real numbers and dates in Excel, with nothing typed', async ({ page }) => {
  await page.goto('/convert')
  const buffer = windows1252(`${BANK.join('\r\n')}\r\n`)
  await page.getByLabel('Add files').setInputFiles({ name: 'umsatz.csv', mimeType: 'text/csv', buffer })
  const file = region(page, 'umsatz.csv')
  await convertTo(file, 'xlsx')
  const receipt = file.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('Amounts like -1.234,56 € are numbers; the unit is EUR.')
  await expect(receipt).toContainText('Values are dates, the day first.')
  const { path } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const book = XLSX.read(readFileSync(path), { cellDates: true })
  const rows = XLSX.utils.sheet_to_json<Record<string, unknown>>(book.Sheets[book.SheetNames[0]], { UTC: true })
  expect(rows.map(({ Betrag }) => Betrag)).toEqual([-1234.56, 12, -3.5])
  expect(rows.map(({ Empfänger: name }) => name)).toEqual(['Müller & Söhne', 'Größer GmbH', 'Café Zoë'])
  expect(rows.map(({ Buchungstag }) => (Buchungstag as Date).toISOString().slice(0, 10))).toEqual([
    '2025-04-03',
    '2025-04-04',
    '2025-04-07',
  ])
})

test('what isn’t sure is proposed, previewed, applied and undone', async ({ page }) => {
  await page.goto('/convert')
  const text = 'day,count,name\n03/04/2025,1,a\n05/06/2025,N/A,b\n01/02/2025,3,c\n'
  const buffer = Buffer.from(text)
  await page.getByLabel('Add files').setInputFiles({ name: 'unsure.csv', mimeType: 'text/csv', buffer })
  const file = region(page, 'unsure.csv')
  const proposals = file.getByRole('list', { name: 'Proposals' })
  await expect(proposals.getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page, 'proposals')

  // Keyboard focus also shows what would become of the first values.
  await proposals.getByRole('button', { name: 'Apply: 3 April 2025 (day first)' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('row', { name: '05/06/2025 2025-05-06' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(file.getByText('1 proposal applied. 1 proposal left: nothing changes until you apply.')).toBeVisible()
  await expect(proposals.getByRole('listitem')).toHaveCount(1)
  await file.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(proposals.getByRole('listitem')).toHaveCount(3)

  // “Apply all” leaves out day and month, which are ambiguous. The preview of one proposal doesn't cover the others.
  await file.getByRole('button', { name: 'Apply: 3 April 2025 (day first)' }).hover()
  await expect(page.getByRole('row', { name: '05/06/2025 2025-06-05' })).toBeVisible()
  await file.getByRole('button', { name: 'Apply all proposals' }).click()
  await expect(proposals.getByRole('listitem')).toHaveCount(2)
  await file.getByRole('button', { name: 'Apply: 3 April 2025 (day first)' }).click()
  await convertTo(file, 'csv')
  const receipt = file.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('“N/A” is null (1 value')
  await expect(receipt).toContainText('Values are dates, the day first (3 values')
  const { path } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(path, 'utf8')).toBe('day,count,name\n2025-04-03,1,a\n2025-06-05,,b\n2025-02-01,3,c\n')
})
