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
