/**
 * Who has a blob reads it to its end, also when it's removed meanwhile: until then its bytes stay. Where nobody tells when
 * a blob is let go of, a sweep removes them.
 */
export class Readers {
  private readonly blobs = new Map<string, number>()
  private readonly removals = new Map<string, () => Promise<void>>()
  private readonly gone = new FinalizationRegistry<string>((blobId) => {
    const left = (this.blobs.get(blobId) ?? 1) - 1
    if (left > 0) this.blobs.set(blobId, left)
    else this.end(blobId)
  })

  add(blobId: string, blob: Blob): void {
    this.blobs.set(blobId, (this.blobs.get(blobId) ?? 0) + 1)
    this.gone.register(blob, blobId)
  }

  /** @returns whether somebody reads it, so that it's removed later */
  removeLater(blobId: string, remove: () => Promise<void>): boolean {
    if (!this.blobs.has(blobId)) return false
    this.removals.set(blobId, remove)
    return true
  }

  isRemoved(blobId: string): boolean {
    return this.removals.has(blobId)
  }

  private end(blobId: string): void {
    this.blobs.delete(blobId)
    // What can't be removed now is swept.
    this.removals
      .get(blobId)?.()
      .catch(() => undefined)
    this.removals.delete(blobId)
  }
}
