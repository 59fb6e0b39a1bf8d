/**
 * Turns a title into a file name that every file system accepts.
 * @param fallback used if nothing of the title remains
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

/** Saves a file through the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The download continues after the click, so the URL must outlive it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
