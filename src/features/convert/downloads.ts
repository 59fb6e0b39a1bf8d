import type { EngineClient, Output } from '../../engine/client.ts'
import { saveFile } from '../../ui/save.ts'
import { toast } from '../../ui/toasts.ts'
import { uniqueFileNames } from '../../tables/names.ts'
import { toFailure } from './model/failure.ts'

/** Hands over one file as it is, several as a zip; says so when one is no longer there. Tells whether it could. */
export async function download(client: EngineClient, outputs: readonly Output[], zipName: string): Promise<boolean> {
  try {
    const files = await Promise.all(outputs.map((output) => client.outputs.file(output)))
    const [only] = files
    if (!only) return false
    if (files.length === 1) saveFile(only, only.name)
    else saveFile(await zipped(files), zipName)
    return true
  } catch (error) {
    const { message, remedy } = toFailure(error)
    toast({ title: message, ...(remedy ? { description: remedy } : {}), tone: 'bad' })
    return false
  }
}

/** The zip is made as a stream and kept by the browser: its bytes don't pass through the page's memory at once. */
async function zipped(files: readonly File[]): Promise<Blob> {
  const { downloadZip } = await import('client-zip')
  const names = uniqueFileNames(files.map((file) => file.name))
  return downloadZip(
    files.map((file, i) => ({ name: names[i] ?? file.name, input: file, lastModified: new Date() })),
  ).blob()
}

export function downloadJson(value: unknown, name: string): void {
  saveFile(new Blob([JSON.stringify(value, null, 2), '\n'], { type: 'application/json' }), name)
}
