import { formatCount, plural } from '../../lib/counts.ts'
import { inSlices } from '../../lib/yielding.ts'
import { toast } from './toasts.ts'

/** Most files per drop, in case somebody drops a whole disk. */
const MOST = 500

/** Handles of dropped files, if the browser provides them: they can open the file again after a reload. */
const handles = new WeakMap<File, FileSystemFileHandle>()

export function handleOf(file: File): FileSystemFileHandle | null {
  return handles.get(file) ?? null
}

/** Paths of files that were dropped in folders. */
const inFolders = new WeakMap<File, string>()

/** Whether a file was added with its folder or archive: such files belong together. */
export function cameInFolder(file: File): boolean {
  return file.webkitRelativePath !== '' || inFolders.has(file)
}

/** A file's name, preceded by the folders it was added with: `sales/2024.csv`. */
export function pathOf(file: File): string {
  return inFolders.get(file) ?? (file.webkitRelativePath || file.name)
}

/** Records that a file was added with others, for example in a folder, and its path there. */
export function markTogether(file: File, path: string): void {
  inFolders.set(file, path)
}

/**
 * Reads the files' sizes, bit by bit: browsers look them up on disk at first use, synchronously, which for hundreds of
 * files at once would block the page.
 */
export async function measure(files: readonly File[]): Promise<void> {
  await inSlices(files, ({ size }) => void size)
}

/** Whether a drag contains files, as far as browsers reveal that before the drop. */
export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/**
 * The files of a drop or a paste, including those in folders, in the order of their names. Says how many were left out
 * because there were too many.
 */
export async function filesDropped(transfer: DataTransfer): Promise<readonly File[]> {
  // Entries can only be read during the event, their files also later.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const plain = [...transfer.files]
  const items: readonly DroppedItem[] = [...transfer.items].filter(({ kind }) => kind === 'file')
  const dropped = items.map((item) => item.getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null))
  if (!entries.some((entry) => entry?.isDirectory)) {
    for (const [i, handle] of (await Promise.all(dropped)).entries()) {
      const file = plain[i]
      if (file && handle?.kind === 'file') handles.set(file, handle as FileSystemFileHandle)
    }
    reportLeft(plain.length - MOST)
    return plain.slice(0, MOST)
  }
  const files: File[] = []
  let left = 0
  const visit = async (entry: FileSystemEntry, within = false): Promise<void> => {
    if (isHidden(entry.name)) return
    if (entry.isDirectory) {
      for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) await visit(child, true)
    } else if (files.length >= MOST) {
      left++
    } else {
      const file = await fileOf(entry as FileSystemFileEntry)
      if (within) inFolders.set(file, entry.fullPath.replace(/^\//, ''))
      files.push(file)
    }
  }
  for (const entry of entries) if (entry) await visit(entry)
  reportLeft(left)
  return files
}

function reportLeft(left: number): void {
  if (left <= 0) return
  const description = `Only the first ${formatCount(MOST)} were added. Add the others separately.`
  toast({ title: `${plural(left, 'file')} left out`, description, tone: 'bad', stays: true })
}

/** The files of a chosen folder, with the same rules as for a dropped one: sorted, without hidden files. */
export function filesOfFolder(files: readonly File[]): File[] {
  return files.filter((file) => !pathOf(file).split('/').some(isHidden)).sort((a, b) => byName(pathOf(a), pathOf(b)))
}

/** Programs keep their own files under such names, Windows and Office among them. */
const isHidden = (name: string): boolean => /^(\.|~\$|(thumbs\.db|desktop\.ini)$)/i.test(name)

const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** Only some browsers have it, and so TypeScript's types don't. */
type DroppedItem = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> }

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    // A reader returns about a hundred entries at a time, and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return children.sort((a, b) => byName(a.name, b.name))
    children.push(...some)
  }
}
