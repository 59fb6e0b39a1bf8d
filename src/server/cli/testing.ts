import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './run.ts'

/* Runs the command line in this process, in a temporary folder. Tests only. */

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export class Shell {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async open(): Promise<Shell> {
    return new Shell(await mkdtemp(path.join(tmpdir(), 'rowhouse-cli-')))
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }

  path(name: string): string {
    return path.join(this.folder, name)
  }

  write(name: string, content: string | Uint8Array): Promise<void> {
    return writeFile(this.path(name), content)
  }

  /** @param settings `width` if standard error is to be a terminal; `signal` to cancel */
  async run(
    args: readonly string[],
    settings: {
      readonly width?: number
      readonly signal?: AbortSignal
      readonly env?: Readonly<Record<string, string>>
      readonly onErr?: (text: string) => void
    } = {},
  ): Promise<Ran> {
    let [out, err] = ['', '']
    const code = await run(args, {
      folder: this.folder,
      env: settings.env ?? {},
      signal: settings.signal ?? new AbortController().signal,
      width: settings.width ?? null,
      out: (content) => {
        out += typeof content === 'string' ? content : new TextDecoder().decode(content)
        return Promise.resolve()
      },
      err: (text) => {
        err += text
        settings.onErr?.(text)
      },
    })
    return { code, out, err }
  }
}
