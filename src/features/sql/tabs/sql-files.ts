import { formatBytes } from '../../../lib/bytes.ts'
import { fileName, saveFile } from '../../../ui/save.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import type { SqlTab } from '../types.ts'
import type { TabsStore } from './tabs.ts'

/** Larger files aren't scripts that people edit. */
const LARGEST = 2 * 1024 * 1024

export const isSqlFile = ({ name }: File): boolean => /\.(sql|ddl)$/i.test(name)

/** Opens each file in a new tab; runs nothing. */
export async function openSqlFiles(
  files: readonly File[],
  tabs: Pick<TabsStore, 'add'>,
  onOpen: (id: string) => void,
): Promise<void> {
  let last: string | null = null
  for (const file of files) {
    const text = await readSql(file)
    if (typeof text === 'string') last = tabs.add({ title: file.name.replace(/\.[^.]+$/, '') || file.name, text }).id
    else toast({ title: `“${file.name}” wasn’t opened`, description: text.problem, tone: 'bad' })
  }
  if (last !== null) onOpen(last)
}

/** Reads a script: UTF-16 with a byte order mark, or UTF-8. */
export async function readSql(file: File): Promise<string | { readonly problem: string }> {
  if (file.size > LARGEST) {
    return { problem: `It has ${formatBytes(file.size)}; scripts of up to ${formatBytes(LARGEST)} can be edited here.` }
  }
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return { problem: 'It can’t be read any more: it was changed, moved or removed. Add it again.' }
  }
  const [a, b] = bytes
  const encoding = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    if (text.includes('\0')) throw new TypeError('not text')
    return text.replaceAll('\r\n', '\n')
  } catch {
    return { problem: 'It isn’t text in UTF-8 or UTF-16. Save it as UTF-8, then open it again.' }
  }
}

/** Opens a file picker for `.sql` files. */
export function pickSqlFiles(tabs: Pick<TabsStore, 'add'>, onOpen: (id: string) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.sql,.ddl,.txt,text/plain'
  input.multiple = true
  input.addEventListener('change', () => void openSqlFiles([...(input.files ?? [])], tabs, onOpen))
  input.click()
}

/** Downloads the tab's text. */
export function downloadSql({ title, text }: SqlTab): void {
  const lines = text.endsWith('\n') ? text : `${text}\n`
  saveFile(new Blob([lines], { type: 'application/sql' }), fileName(title, 'sql', 'query'))
}
