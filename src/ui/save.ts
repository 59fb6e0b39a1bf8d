/**
 * A title as the name of a file that every file system takes.
 * @param fallback where nothing of the title is left
 */
export function fileName(title: string, extension: string, fallback: string): string {
  const name = title
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 100)
    .trim()
  return `${name || fallback}.${extension}`
}

/** Hands a file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The download keeps reading after the click; the address must outlive that.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
