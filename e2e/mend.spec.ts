import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { convertTo, download, kept, region } from './page.ts'

const ROWS = 200_000

/** 200,000 rows: 18 have an extra comma, and 19 a word in place of a number. */
function damaged(path: string): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    if (i % 11_111 === 500) return `${i},${i}.50,Meyer, GmbH`
    return i % 10_101 === 700 || i === 150_001 ? `${i},12O.50,note` : `${i},${i}.50,note`
  })
  writeFileSync(path, `id,amount,note\n${rows.join('\n')}\n`)
  return path
}

test('37 bad rows of 200,000 are known before converting, mended in bulk, and put back', async ({ page }) => {
  const path = damaged(test.info().outputPath('sales.csv'))
  const bad = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /GmbH|12O/.test(line)).length
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(path)
  const file = region(page, 'sales.csv')
  await file.getByRole('tab', { name: 'Columns' }).click()
  await file.getByRole('combobox', { name: 'Type of amount' }).selectOption('DECIMAL(18,2)')
  const tab = file.getByRole('tab', { name: /^Rows that don’t fit/ })
  await expect(tab).toContainText(String(bad))
  await tab.click()
  const grid = file.getByRole('grid', { name: 'Rows that don’t fit' })
  await expect(grid).toHaveAttribute('aria-rowcount', String(bad + 1))
  await expect(file.getByRole('button', { name: 'Put back', exact: true })).toBeDisabled()

  // Corrects one by hand, and those like it with one click.
  const amount = grid.getByRole('textbox', { name: 'amount, line 702', exact: true })
  await amount.fill('12.5x')
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await amount.fill('120.50')
  await expect(amount).toHaveAttribute('aria-invalid', 'false')
  await file.getByRole('button', { name: /^Same fix for all \d+ like this$/ }).click()

  // Corrects those with an extra comma by their text.
  await file.getByRole('textbox', { name: 'Find', exact: true }).fill(', GmbH')
  await file.getByRole('textbox', { name: 'Replace with' }).fill(' GmbH')
  await file.getByRole('button', { name: /^Replace in \d+ rows$/ }).click()
  await expect(file.getByText(`${bad} of ${bad} rows fit now.`)).toBeVisible()
  await expectAccessible(page, 'rows that don’t fit')
  const note = tab.getByText(String(bad), { exact: true })
  await expect(note).toHaveAttribute('data-tone', 'bad')
  await file.getByRole('button', { name: 'Put back', exact: true }).click()
  await expect(note).not.toHaveAttribute('data-tone', 'bad')

  await convertTo(file, 'CSV')
  const receipt = file.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText(`${bad} rows that didn’t fit are written as you mended them`)
  await expect(receipt.getByText('Verified', { exact: true })).toBeVisible()
  const made = await download(page, file.getByRole('button', { name: /^Download/ }).first())
  const expected = readFileSync(path, 'utf8').replaceAll('Meyer, GmbH', 'Meyer GmbH').replaceAll('12O.50', '120.50')
  expect(readFileSync(made.path, 'utf8')).toBe(expected)
})

test('rows are mended by keyboard alone, and what was mended is there after a reload', async ({ page }) => {
  const path = test.info().outputPath('few.csv')
  writeFileSync(path, 'id,name\n1,Ann\n2,Bee, B.\n3,Cee\n4,Dan, D.\n')
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(path)
  const file = region(page, 'few.csv')
  await file.getByRole('tab', { name: /^Rows that don’t fit/ }).click()
  const first = file.getByRole('textbox', { name: 'Text of line 3' })
  await first.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('2,"Bee, B."')
  await expect(first).toHaveAttribute('aria-invalid', 'false')
  await page.keyboard.press('Enter')
  await expect(file.getByRole('textbox', { name: 'name, line 3' })).toHaveValue('Bee, B.')
  await file.getByRole('button', { name: 'Put back', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(file.getByText('1 of 2 rows fits and will be put back in place.')).toBeVisible()
  await expect.poll(() => kept(page, 'jobs')).toContainEqual(expect.stringMatching(/"putBack":true/))
  await page.reload()
  await page.getByLabel('Add files').setInputFiles(path)
  await file.getByRole('tab', { name: /^Rows that don’t fit/ }).click()
  await expect(file.getByRole('textbox', { name: 'name, line 3' })).toHaveValue('Bee, B.')
  await expect(file.getByRole('button', { name: 'Put back', exact: true })).toBeDisabled()
})

test('rows are put back at the end, which the receipt says and a recipe keeps for next month’s file', async ({
  page,
}) => {
  const month = (name: string, first: number): string => {
    const path = test.info().outputPath(name)
    writeFileSync(path, `id,amount\n${first},n/a\n${first + 1},20\n${first + 2},30\n`)
    return path
  }
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(month('may.csv', 1))
  const may = region(page, 'may.csv')
  await may.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await may.getByRole('tab', { name: 'Columns' }).click()
  await may.getByRole('combobox', { name: 'Type of amount' }).selectOption('BIGINT')
  await may.getByRole('tab', { name: /^Rows that don’t fit/ }).click()
  await may.getByRole('textbox', { name: 'Find', exact: true }).fill('n/a')
  await may.getByRole('textbox', { name: 'Replace with' }).fill('10')
  await may.getByRole('button', { name: 'Replace in 1 row' }).click()
  await may.getByRole('radio', { name: 'At the end' }).check()
  await may.getByRole('button', { name: 'Put back', exact: true }).click()
  await expect(may.getByText('1 of 1 row fits and will be put back at the end.')).toBeVisible()
  await expectAccessible(page, 'rows that go to the end')
  await may.getByRole('tab', { name: 'Columns' }).click()
  await may.getByRole('button', { name: 'Save as recipe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as recipe' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('months')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Recipe “months” saved')).toBeVisible()

  await page.getByLabel('Add files').setInputFiles(month('june.csv', 4))
  const june = region(page, 'june.csv')
  await june.getByRole('button', { name: 'Apply recipe' }).click()
  await convertTo(june, 'CSV')
  const receipt = june.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('1 row that didn’t fit is written at the end, as you mended it')
  await expect(receipt).toContainText('1 row, at the end')
  await expect(receipt.getByText('Verified', { exact: true })).toBeVisible()
  const made = await download(page, june.getByRole('button', { name: /^Download/ }).first())
  expect(readFileSync(made.path, 'utf8')).toBe('id,amount\n5,20\n6,30\n4,10\n')
})

test('long rows are mended: their text part by part, and cells of several lines', async ({ page }) => {
  const path = test.info().outputPath('long.csv')
  const words = 'Lorem ipsum, '.repeat(4000)
  const lines = '"one\r\ntwo"'
  writeFileSync(path, `id,note\n1,a\n2,${words}end\n3,b\nx4,${lines}\n5,c\n`)
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(path)
  const file = region(page, 'long.csv')
  await file.getByRole('tab', { name: 'Columns' }).click()
  await file.getByRole('combobox', { name: 'Type of id' }).selectOption('BIGINT')
  await file.getByRole('tab', { name: /^Rows that don’t fit/ }).click()
  await file.getByRole('button', { name: 'Edit the text of line 3' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the text of line 3' })
  const first = dialog.getByRole('textbox', { name: 'Characters 1 to 10,000 of 52,005' })
  await first.fill((await first.inputValue()).replace('2,', '2,"'))
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible(page, 'a long row')
  for (let part = 0; part < 5; part++) await dialog.getByRole('button', { name: 'Next part' }).click()
  const last = dialog.getByRole('textbox', { name: 'Characters 50,002 to 52,006 of 52,006' })
  await last.fill(`${await last.inputValue()}"`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(file.getByRole('button', { name: 'Edit note, line 3' })).toBeVisible()

  await file.getByRole('textbox', { name: 'id, line 5' }).fill('4')
  await page.keyboard.press('Enter')
  await file.getByRole('button', { name: 'Edit note, line 5' }).click()
  const cell = page.getByRole('dialog', { name: 'Edit note, line 5' })
  await cell.getByRole('textbox', { name: 'Text' }).fill('one\ntwo!')
  await cell.getByRole('button', { name: 'Save' }).click()
  await expect(cell).toBeHidden()
  await file.getByRole('button', { name: 'Put back', exact: true }).click()
  await convertTo(file, 'CSV')
  await expect(file.getByRole('region', { name: 'Receipt' }).getByText('Verified', { exact: true })).toBeVisible()
  const made = await download(page, file.getByRole('button', { name: /^Download/ }).first())
  expect(readFileSync(made.path, 'utf8')).toBe(`id,note\n1,a\n2,"${words}end"\n3,b\n4,"one\r\ntwo!"\n5,c\n`)
})
