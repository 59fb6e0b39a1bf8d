const isArchive = ({ name }: File): boolean => /\.zip$/i.test(name)

/** Files with those in zip archives instead of the archives; what reads these is loaded when the first one comes. */
export async function withUnpacked(files: readonly File[]): Promise<readonly File[]> {
  if (!files.some(isArchive)) return files
  const { unpackArchive } = await import('./unpack.ts')
  const all: File[] = []
  for (const file of files) all.push(...(isArchive(file) ? await unpackArchive(file) : [file]))
  return all
}
