/* What the app's open windows, tabs and workers share. */

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

/** Sends messages to the other users of the same name, in all pages and workers of this origin. */
export interface Broadcast<Message> {
  readonly tell: (message: Message) => void
  /** Calls back with the others' messages; returns a function that stops it. */
  readonly listen: (listener: (message: Message) => void) => () => void
  readonly close: () => void
}

/** Messages are delivered to other broadcasts of the same page, too, but not to the one that sent them. */
export function openBroadcast<Message>(name: string): Broadcast<Message> {
  const channel = new BroadcastChannel(name)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's has none
    tell: (message) => channel.postMessage(message),
    listen(listener) {
      const receive = ({ data }: MessageEvent<Message>): void => listener(data)
      channel.addEventListener('message', receive)
      return () => channel.removeEventListener('message', receive)
    },
    close: () => channel.close(),
  }
}
