import { expect } from '@playwright/test'
import { fileHost, type FileHost } from '../host.ts'
import type { Driver } from './driver.ts'

/** Something on the page, as a person would describe it. */
export interface Target {
  readonly role: keyof typeof ELEMENTS | 'page'
  /** The whole accessible name, or a pattern for it. */
  readonly name?: string | RegExp
  readonly within?: Target
}

/** Which elements can have a role: the part of HTML's rules that the app needs. */
const ELEMENTS = {
  alert: '[role=alert]',
  button: 'button, [role=button]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  combobox: 'select, [role=combobox]',
  // Toasts also have the role of a dialog. They stay as long as the window doesn't have the focus.
  dialog: ':is([role=dialog], [role=alertdialog], dialog):not([aria-label=Notifications] *)',
  file: 'input[type=file]',
  grid: '[role=grid]',
  heading: 'h1, h2, h3, h4',
  link: 'a[href]',
  listitem: 'li',
  menuitem: '[role^=menuitem]',
  region: 'section, [role=region]',
  status: '[role=status]',
  tab: '[role=tab]',
  table: 'table',
  textbox: 'input:not([type]), input[type=text], input[type=search], textarea, [role=textbox]',
  tree: '[role=tree]',
  treeitem: '[role=treeitem]',
} as const

/** A target in the form passed to the page. */
interface Sought {
  readonly selector: string
  readonly name: string | { readonly source: string; readonly flags: string } | null
}

function sought({ role, name = '', within }: Target): Sought[] {
  const own: Sought = {
    selector: role === 'page' ? 'body' : ELEMENTS[role],
    name: name === '' ? null : typeof name === 'string' ? name : { source: name.source, flags: name.flags },
  }
  return within ? [...sought(within), own] : [own]
}

/** Runs in the page: marks the first matching element, and returns its text; null if there's none. */
function mark(path: readonly Sought[]): { readonly text: string; readonly disabled: boolean } | null {
  const textOf = (ids: string | null): string =>
    (ids ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim()
  const nameOf = (element: Element): string => {
    const { labels } = element as HTMLInputElement
    const name =
      element.getAttribute('aria-label') ||
      textOf(element.getAttribute('aria-labelledby')) ||
      Array.from(labels ?? [], (label) => label.textContent).join(' ') ||
      element.textContent ||
      element.getAttribute('title') ||
      ''
    return name.replaceAll(/\s+/g, ' ').trim()
  }
  const fits = (element: Element, { name }: Sought): boolean => {
    if (name === null) return true
    return typeof name === 'string'
      ? nameOf(element) === name
      : new RegExp(name.source, name.flags).test(nameOf(element))
  }
  const shown = (element: Element): boolean =>
    element instanceof HTMLInputElement && element.type === 'file' ? true : element.checkVisibility()
  let scopes: Element[] = [document.documentElement]
  for (const step of path) {
    scopes = scopes.flatMap((scope) =>
      Array.from(scope.querySelectorAll(step.selector)).filter((element) => shown(element) && fits(element, step)),
    )
  }
  const [found] = scopes
  if (!found) return null
  for (const old of document.querySelectorAll('[data-sought]')) old.removeAttribute('data-sought')
  found.setAttribute('data-sought', '')
  const text =
    'value' in found && typeof found.value === 'string' && found.value !== '' ? found.value : found.textContent
  return { text: (text ?? '').replaceAll(/\s+/g, ' ').trim(), disabled: 'disabled' in found && found.disabled === true }
}

const MARKED = '[data-sought]'

interface Watched {
  readonly faults: string[]
  /** Number of clicks that reached their target. */
  clicks: number
  readonly saved: { readonly name: string; readonly blob: Blob }[]
}

/** Runs in the page: records errors, and intercepts downloads. */
function watch(): void {
  const watched: Watched = { faults: [], clicks: 0, saved: [] }
  Object.assign(window, { watched })
  addEventListener('error', (event) => watched.faults.push(event.message))
  addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) => watched.faults.push(String(reason)))
  const blobs = new Map<string, Blob>()
  const create = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (blob) => {
    const url = create(blob)
    if (blob instanceof Blob) blobs.set(url, blob)
    return url
  }
  const note = (event: Event): void => {
    const { target } = event
    if (target instanceof Element && target.closest('[data-sought]')) watched.clicks++
    const blob = target instanceof HTMLAnchorElement && target.download !== '' ? blobs.get(target.href) : undefined
    if (!blob) return
    watched.saved.push({ name: (target as HTMLAnchorElement).download, blob })
    // Browsers' download lists take focus or space from the page.
    event.preventDefault()
  }
  document.addEventListener('click', note, true)
}

export interface SavedFile {
  readonly name: string
  readonly bytes: Buffer
}

/** On a busy machine, starting DuckDB alone takes WebKit 30 seconds. */
const PATIENCE = 150_000

/** The app in a browser, and what a person does with it. */
export class App {
  readonly driver: Driver
  private host: FileHost

  private constructor(driver: Driver, host: FileHost) {
    this.driver = driver
    this.host = host
  }

  static async start(driver: Driver): Promise<App> {
    return new App(driver, await fileHost('/'))
  }

  /** Opens one of the app's addresses. */
  async open(path: string): Promise<void> {
    await this.driver.open(this.host.origin + path)
    await this.driver.evaluate(watch)
    await this.see({ role: 'heading' })
  }

  /** Opens an address, and waits until the service in the page answers. */
  async openReady(path: string): Promise<void> {
    await this.open(path)
    await this.poll(() => this.driver.evaluate(() => document.documentElement.dataset['service'] === 'ready'))
  }

  /** Caches all of the app for offline use. */
  keepOffline(): Promise<void> {
    return this.driver.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready
      await new Promise<void>((resolve) => {
        navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ type?: string }>) => {
          if (data.type === 'rowhouse:offline-ready') resolve()
        })
        active?.postMessage({ type: 'rowhouse:keep-offline' })
      })
    })
  }

  /** Stops the host, as if there were no network. */
  goOffline(): void {
    this.host.close()
  }

  /** Waits for an element and, if given, for its text to match; returns the text. */
  async see(target: Target, text = /(?:)/, timeout = PATIENCE): Promise<string> {
    let last: string | null = null
    await expect
      .poll(
        async () => {
          last = (await this.driver.evaluate(mark, sought(target)))?.text ?? null
          return last !== null && text.test(last) ? 'seen' : (last?.slice(-600) ?? 'not there')
        },
        { timeout, message: describe(target, text) },
      )
      .toBe('seen')
    return last ?? ''
  }

  async gone(target: Target): Promise<void> {
    await this.poll(async () => !(await this.isThere(target)), target)
  }

  async isThere(target: Target): Promise<boolean> {
    return (await this.driver.evaluate(mark, sought(target))) !== null
  }

  async click(target: Target): Promise<void> {
    await this.poll(async () => (await this.driver.evaluate(mark, sought(target)))?.disabled === false, target)
    const clicks = (): Promise<number> =>
      this.driver.evaluate(() => (window as unknown as { watched?: Watched }).watched?.clicks ?? Infinity)
    // Something that moves or fades may cover it for a moment, or take the click.
    await expect(async () => {
      await this.see(target)
      const before = await clicks()
      await this.driver.evaluate(
        (selector: string) => document.querySelector(selector)?.scrollIntoView({ block: 'center' }),
        MARKED,
      )
      await this.driver.click(MARKED)
      if ((await clicks()) <= before && before < Infinity)
        throw new Error(`${describe(target)} moved: the click missed it`)
    }).toPass({ timeout: PATIENCE })
  }

  /** Types a text to replace the current one. */
  async write(target: Target, text: string): Promise<void> {
    await this.click(target)
    await this.driver.press('Control+a')
    await this.driver.type(text)
  }

  async choose(target: Target, value: string): Promise<void> {
    await this.see(target)
    await this.driver.evaluate(
      (selector: string, chosen: string) => {
        const field = document.querySelector<HTMLSelectElement>(selector)
        if (!field) throw new Error('the field is gone')
        field.value = chosen
        if (field.value !== chosen) throw new Error(`it offers no “${chosen}”`)
        field.dispatchEvent(new Event('change', { bubbles: true }))
      },
      MARKED,
      value,
    )
  }

  async setFiles(target: Target, paths: readonly string[]): Promise<void> {
    await this.see(target)
    await this.driver.setFiles(MARKED, paths)
  }

  addFiles(paths: readonly string[], within?: Target): Promise<void> {
    return this.setFiles({ role: 'file', name: /Add files/, ...(within ? { within } : {}) }, paths)
  }

  /** Clicks, and returns the file that is downloaded then. */
  async save(button: Target): Promise<SavedFile> {
    const count = (): Promise<number> =>
      this.driver.evaluate(() => (window as unknown as { watched: Watched }).watched.saved.length)
    const before = await count()
    await this.click(button)
    await this.poll(async () => (await count()) > before, button)
    const { name, text } = await this.driver.evaluate(async () => {
      const saved = (window as unknown as { watched: Watched }).watched.saved.at(-1)
      if (!saved) throw new Error('nothing was saved')
      const bytes = new Uint8Array(await saved.blob.arrayBuffer())
      let binary = ''
      for (const byte of bytes) binary += String.fromCharCode(byte)
      return { name: saved.name, text: btoa(binary) }
    })
    return { name, bytes: Buffer.from(text, 'base64') }
  }

  /** Errors in the page that nothing has caught. */
  faults(): Promise<string[]> {
    return this.driver.evaluate(() => (window as unknown as { watched?: Watched }).watched?.faults ?? [])
  }

  private async poll(work: () => Promise<boolean>, target?: Target): Promise<void> {
    await expect.poll(work, { timeout: PATIENCE, message: target ? describe(target) : 'ready' }).toBe(true)
  }

  async close(): Promise<void> {
    await this.driver.close()
    this.host.close()
  }
}

function describe({ role, name, within }: Target, text?: RegExp): string {
  const own = `${role}${name === undefined ? '' : ` “${String(name)}”`}${text && text.source !== '(?:)' ? ` saying ${String(text)}` : ''}`
  return within ? `${own} in ${describe(within)}` : own
}
