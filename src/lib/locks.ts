/**
 * Holds a lock for all pages and workers of this origin.
 * @returns releases it, once it's held; otherwise it's held until this page or worker ends
 */
export function holdLock(name: string, options: LockOptions = {}): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, options, () => new Promise<void>(resolve))
    held.catch(reject)
  })
}
