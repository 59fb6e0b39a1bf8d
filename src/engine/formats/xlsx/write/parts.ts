import { ByteWriter } from '../../../../lib/bytes.ts'
import type { SharedStrings } from './strings.ts'
import type { Styles } from './styles.ts'
import { appendXmlText, hasOuterSpace, xmlEscape } from './text.ts'
import type { ZipWriter } from '../../../../lib/zip/write.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const FLUSH_BYTES = 256 * 1024

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** The path of a sheet's part, numbered from 1. */
export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`

/** Writes the first entries, by which programs such as `file` recognize an Excel workbook. */
export async function writeFirstParts(zip: ZipWriter): Promise<void> {
  await zip.add(
    '_rels/.rels',
    encode(
      relations([
        [`${RELATIONSHIP}/officeDocument`, 'xl/workbook.xml'],
        [`${RELATIONSHIP}/extended-properties`, 'docProps/app.xml'],
        [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
      ]),
    ),
  )
  await zip.add(
    'docProps/app.xml',
    encode(
      `${XML}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">` +
        `<Application>Rowhouse</Application></Properties>`,
    ),
  )
  await zip.add(
    'docProps/core.xml',
    encode(
      `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" ` +
        `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>Rowhouse</dc:creator></cp:coreProperties>`,
    ),
  )
}

/** Writes all parts other than sheets. */
export async function writeLastParts(
  zip: ZipWriter,
  sheets: readonly string[],
  styles: Styles,
  strings: SharedStrings,
): Promise<void> {
  const shared = strings.count > 0
  if (shared) await writeSharedStrings(zip, strings)
  await zip.add('xl/styles.xml', encode(styles.xml()))
  await zip.add('xl/workbook.xml', encode(workbook(sheets)))
  await zip.add('xl/_rels/workbook.xml.rels', encode(workbookRelations(sheets.length, shared)))
  await zip.add('[Content_Types].xml', encode(contentTypes(sheets.length, shared)))
}

function workbook(sheets: readonly string[]): string {
  const items = sheets.map((name, i) => `<sheet name="${xmlEscape(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
  return (
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIP}"><workbookPr defaultThemeVersion="124226"/>` +
    `<bookViews><workbookView activeTab="0"/></bookViews><sheets>${items.join('')}</sheets></workbook>`
  )
}

function workbookRelations(sheets: number, shared: boolean): string {
  const targets = Array.from({ length: sheets }, (_, i): [string, string] => [
    `${RELATIONSHIP}/worksheet`,
    `worksheets/sheet${i + 1}.xml`,
  ])
  targets.push([`${RELATIONSHIP}/styles`, 'styles.xml'])
  if (shared) targets.push([`${RELATIONSHIP}/sharedStrings`, 'sharedStrings.xml'])
  return relations(targets)
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${type}" Target="${target}"/>`)
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`
}

function contentTypes(sheets: number, shared: boolean): string {
  const part = (path: string, type: string): string => `<Override PartName="/${path}" ContentType="${type}"/>`
  return (
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>` +
    part('xl/workbook.xml', `${CONTENT}.sheet.main+xml`) +
    Array.from({ length: sheets }, (_, i) => part(sheetPath(i + 1), `${CONTENT}.worksheet+xml`)).join('') +
    part('xl/styles.xml', `${CONTENT}.styles+xml`) +
    (shared ? part('xl/sharedStrings.xml', `${CONTENT}.sharedStrings+xml`) : '') +
    part('docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml') +
    part('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
    `</Types>`
  )
}

async function writeSharedStrings(zip: ZipWriter, strings: SharedStrings): Promise<void> {
  const entry = await zip.begin('xl/sharedStrings.xml')
  const out = new ByteWriter(FLUSH_BYTES)
  out.text(`${XML}<sst xmlns="${MAIN}" count="${strings.uses}" uniqueCount="${strings.count}">`)
  // The shared strings' table is bounded, so this takes a few megabytes.
  strings.forEach((bytes, start, end) => {
    out.text(hasOuterSpace(bytes, start, end) ? '<si><t xml:space="preserve">' : '<si><t>')
    appendXmlText(out, bytes, start, end)
    out.text('</t></si>')
  })
  out.text('</sst>')
  await entry.write(out.view())
  await entry.close()
}
