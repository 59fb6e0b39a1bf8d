import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test, type Locator, type Page } from './test.ts'
import { convertTo, download, fixture, region } from './page.ts'

/* The nastiest files: each gets its message, and the page still works afterwards. */

const encoder = new TextEncoder()
const GOOD = 'good.csv'

/** Adds files with these contents, followed by a valid one. */
async function addContents(page: Page, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const paths = Object.entries({ ...files, [GOOD]: 'id,name\n1,é\n2,ü\n' }).map(([name, content]) => {
    const path = test.info().outputPath(name)
    writeFileSync(path, content)
    return path
  })
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(paths)
}

async function expectRefusal(file: Locator, message: RegExp, remedy: RegExp): Promise<void> {
  const alert = file.getByRole('alert')
  await expect(alert).toContainText(message, { timeout: 45_000 })
  await expect(alert).toContainText(remedy)
}

function parquetCut(): Uint8Array {
  const bytes = readFileSync(fixture('types.parquet'))
  return bytes.subarray(0, bytes.length >> 1)
}

/** Parquet with noise as pages and a valid footer, on which the library may crash. */
function parquetNoise(): Uint8Array {
  const bytes = Uint8Array.from(readFileSync(fixture('types.parquet')))
  for (let i = 40; i < 1500; i++) bytes[i] = (i * 7919) & 255
  return bytes
}

const gz = gzipSync(`a,b\n${Array.from({ length: 5000 }, (_, i) => `${i},${(i * 7919) % 1000}`).join('\n')}\n`)
const bomb = Buffer.concat([
  gzipSync('a,b\n1,2\n3,'),
  ...Array.from({ length: 16 }, () => gzipSync(Buffer.alloc(64_000_000, 120))),
])
const GET_AGAIN = /again/i

const REFUSED: readonly [name: string, content: () => string | Uint8Array, message: RegExp, remedy: RegExp][] = [
  ['noise.parquet', parquetNoise, /damaged/, GET_AGAIN],
  ['cut.parquet', parquetCut, /cut short/, GET_AGAIN],
  ['cut.xlsx', () => readFileSync(fixture('customers.xlsx')).subarray(0, 9000), /cut short/, GET_AGAIN],
  ['cut.csv.gz', () => gz.subarray(0, gz.length >> 1), /ends before it is complete/, GET_AGAIN],
  ['crc.csv.gz', () => Uint8Array.from(gz, (byte, i) => (i === gz.length - 6 ? byte ^ 1 : byte)), /damaged/, GET_AGAIN],
  ['tail.csv.gz', () => Buffer.concat([gz, encoder.encode('something else')]), /followed|damaged/, /Unpack|again/],
  ['bomb.csv.gz', () => bomb, /larger than what fits/, /quote character/],
  ['page.xls', () => '<html><body><p>Log in to download</p></body></html>', /web page/, /in a browser/],
  [
    'noise.json',
    () => Uint8Array.from({ length: 9000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255),
    /isn’t text/,
    /export/,
  ],
  ['deep.json', () => `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`, /512 levels/, /Mend/],
  ['blank.csv', () => '\n\n   \n', /blank/, /export or download/],
]

test.describe('gets a message and a remedy, and the next file converts:', () => {
  for (const [name, content, message, remedy] of REFUSED) {
    test(name, async ({ page }) => {
      await addContents(page, { [name]: content() })
      await expectRefusal(region(page, name), message, remedy)
      await convertTo(region(page, GOOD), 'Parquet')
    })
  }

  test('a password', async ({ page }) => {
    const locked = readFileSync(new URL('../src/engine/formats/xlsx/fixtures/password.xlsx', import.meta.url))
    await addContents(page, { 'locked.xlsx': locked })
    await expectRefusal(region(page, 'locked.xlsx'), /password-protected/, /remove the password/)
    await convertTo(region(page, GOOD), 'Excel')
  })

  test('all of them at once', async ({ page }) => {
    const files = REFUSED.filter(([name]) => name !== 'bomb.csv.gz')
    await addContents(page, Object.fromEntries(files.map(([name, content]) => [name, content()])))
    for (const [name, , message] of files) await expect(region(page, name).getByRole('alert')).toContainText(message)
    // With ten files or more, each is one line.
    await region(page, GOOD).getByRole('button', { name: 'Show details' }).click()
    await convertTo(region(page, GOOD), 'Parquet')
  })
})

test('a text too long for Excel is refused with its place, and goes to Parquet', async ({ page }) => {
  await addContents(page, { 'long.csv': `a,b\n1,x\n2,${'y'.repeat(40_000)}\n` })
  const file = region(page, 'long.csv')
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('Excel')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expectRefusal(file, /32,767/, /Parquet/)
  await expect(file.getByRole('alert')).toContainText(/column “b”, row 2/)
  await convertTo(file, 'Parquet')
})

test('a field of 100 MB goes to Parquet, and the page stays small', async ({ page }) => {
  await addContents(page, {
    'field.csv': Buffer.concat([encoder.encode('a,b\n1,'), Buffer.alloc(100_000_000, 120), encoder.encode('\n2,y\n')]),
  })
  const file = region(page, 'field.csv')
  await convertTo(file, 'Parquet')
  expect(await page.evaluate(() => document.body.innerText.length)).toBeLessThan(100_000)
})

test('HTML and the language’s own names are text, in names, values, rejected rows and file names', async ({ page }) => {
  const script = '<img src=x onerror="document.title=\'owned\'">'
  const quoted = `"${script.replaceAll('"', '""')}"`
  const name = 'a <b>bold<b> name.csv'
  await addContents(page, { [name]: `__proto__,constructor,${quoted}\n1,${quoted},2\n3,${quoted},4,${quoted}\n` })
  const file = region(page, name)
  await expect(file.getByRole('table', { name: 'Preview' })).toContainText(script)
  await expect(file.getByRole('table', { name: 'Preview' })).toContainText('__proto__')
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('JSON')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await file.getByRole('button', { name: /without them/ }).click()
  const { path } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(path, 'utf8')).toContain(JSON.stringify(script))
  const [row] = JSON.parse(readFileSync(path, 'utf8')) as object[]
  expect(Object.entries(row ?? {})).toEqual([
    ['__proto__', 1],
    ['constructor', script],
    [script, 2],
  ])
  expect(await page.title()).not.toContain('owned')
  expect(await page.locator('img[src="x"], main b').count()).toBe(0)
})
