import { unpackArchive } from '../../engine/client.ts'
import { formatCount, plural } from '../../lib/counts.ts'
import { markTogether } from '../../ui/overlays/files-dropped.ts'
import { toast } from '../../ui/overlays/toasts.ts'

/** Replaces zip archives by the files in them, and reports what couldn't be unpacked. */
export async function withUnpacked(files: readonly File[]): Promise<readonly File[]> {
  const all: File[] = []
  for (const file of files) all.push(...(/\.zip$/i.test(file.name) ? await filesOf(file) : [file]))
  return all
}

async function filesOf(archive: File): Promise<readonly File[]> {
  const unpacked = await unpackArchive(archive)
  if (!unpacked) return [archive]
  const { files, failed, left, notices } = unpacked
  for (const notice of notices) toast(notice)
  if (failed.length > 0) {
    const title = `${plural(failed.length, 'file')} of “${archive.name}” couldn’t be unpacked`
    const first = failed.slice(0, 3).map(({ path, error }) => `“${path}”: ${error.message}`)
    toast({ title, description: first.join(' '), tone: 'bad', stays: true })
  }
  if (left > 0) {
    const all = plural(files.length + failed.length + left, 'table')
    const title = `${formatCount(left)} of ${all} in “${archive.name}” ${left === 1 ? 'is' : 'are'} left out`
    const description = 'That is more than is read from one archive. Unpack it, and add the rest as files.'
    toast({ title, description, tone: 'bad', stays: true })
  }
  for (const { file, path } of files) markTogether(file, path)
  return files.map(({ file }) => file)
}
