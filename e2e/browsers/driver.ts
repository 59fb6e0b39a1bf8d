/** A browser with one page, with what the steps need. Each browser is driven in its own way. */
export interface Driver {
  /** The browser's name and version, as reported by it. */
  readonly name: string
  open(url: string): Promise<void>
  /** Runs a function in the page and returns its result. Arguments and result are plain data. */
  evaluate<A extends readonly unknown[], T>(work: (...args: A) => T | Promise<T>, ...args: A): Promise<T>
  /** Clicks in the middle of an element with the mouse. */
  click(selector: string): Promise<void>
  /** Selects local files in a file input. */
  setFiles(selector: string, paths: readonly string[]): Promise<void>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  /** Presses a key, optionally with modifiers: `Control+Enter`. */
  press(keys: string): Promise<void>
  screenshot(path: string): Promise<void>
  close(): Promise<void>
}
