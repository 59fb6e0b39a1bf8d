import { inSlices } from '../../lib/abort.ts'

/** How many files one drop may bring: a guard against dropping a whole disk. */
const MOST = 500

/** Handles of files that were dropped, where the browser gives them: they open the file again after a reload. */
const handles = new WeakMap<File, FileSystemFileHandle>()

export function handleOf(file: File): FileSystemFileHandle | null {
  return handles.get(file) ?? null
}

/** Of files that were dropped with their folders: where they are in them. */
const inFolders = new WeakMap<File, string>()

/** Whether a file was added with its folder, or its archive: what came with it belongs together. */
export function cameInFolder(file: File): boolean {
  return file.webkitRelativePath !== '' || inFolders.has(file)
}

/** A file's name, with the folders that it was added with: `sales/2024.csv`. */
export function pathOf(file: File): string {
  return inFolders.get(file) ?? (file.webkitRelativePath || file.name)
}

/** Notes that a file came with others, as those of a folder do, and where it was among them. */
export function markTogether(file: File, path: string): void {
  inFolders.set(file, path)
}

/**
 * Has the browser learn files' sizes and dates, which it asks the disk for when they're first wanted, and waits: for
 * hundreds at once that would hold up the page.
 */
export async function measure(files: Iterable<File>): Promise<void> {
  await inSlices(files, ({ size }) => void size)
}

export interface Dropped {
  readonly files: readonly File[]
  /** Files that were left where they are, because there were more than can be taken at once. */
  readonly left: number
}

/** Whether a drag brings files, as far as the browser tells before the drop. */
export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/** The files of a drop or a paste, those inside folders included, in the order of their names. */
export async function filesDropped(transfer: DataTransfer): Promise<Dropped> {
  // Entries must be taken before the event ends; the files in them can be read later.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const plain = [...transfer.files]
  const items: readonly DroppedItem[] = [...transfer.items].filter(({ kind }) => kind === 'file')
  const dropped = items.map((item) => item.getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null))
  if (!entries.some((entry) => entry?.isDirectory)) {
    for (const [i, handle] of (await Promise.all(dropped)).entries()) {
      const file = plain[i]
      if (file && handle?.kind === 'file') handles.set(file, handle as FileSystemFileHandle)
    }
    return { files: plain.slice(0, MOST), left: Math.max(0, plain.length - MOST) }
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
  return { files, left }
}

/** The files of a folder that was chosen, as those of one that is dropped: browsers list them in any order. */
export function filesOfFolder(files: readonly File[]): File[] {
  return files.filter((file) => !pathOf(file).split('/').some(isHidden)).sort((a, b) => byName(pathOf(a), pathOf(b)))
}

/** What begins with a dot is a program's, not a person's. */
const isHidden = (name: string): boolean => name.startsWith('.')

const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** Not in every browser, and so not in TypeScript's own types. */
type DroppedItem = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> }

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    // A reader gives a hundred at a time, and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return children.sort((a, b) => byName(a.name, b.name))
    children.push(...some)
  }
}
