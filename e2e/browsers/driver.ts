/** A browser with one page, as far as the steps need it: each browser is driven in its own way behind it. */
export interface Driver {
  /** The browser's name and version, as it tells them. */
  readonly name: string
  open(url: string): Promise<void>
  /** Runs a function in the page and gives what it returns, or resolves to: plain data alone crosses. */
  evaluate<A extends readonly unknown[], T>(work: (...args: A) => T | Promise<T>, ...args: A): Promise<T>
  /** Clicks in the middle of an element, as a mouse does. */
  click(selector: string): Promise<void>
  /** Puts files of this machine into a file input. */
  setFiles(selector: string, paths: readonly string[]): Promise<void>
  /** Types into what has the focus. */
  type(text: string): Promise<void>
  /** Presses a key, with modifiers before it: `Control+Enter`. */
  press(keys: string): Promise<void>
  screenshot(path: string): Promise<void>
  close(): Promise<void>
}
