import { mkdtempSync, symlinkSync, unlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathOf } from '../engine/files.ts'

/** The only folder that statements could reach. It contains only links to the tables that they may use. */
export class Files {
  readonly folder: string

  /** @param parent folder in which it's created */
  constructor(parent: string) {
    this.folder = `${mkdtempSync(path.join(parent, 'rowhouse-'))}/`
  }

  /**
   * Makes a file available under a path in the folder. If it isn't a file on the disk, its content is written there.
   */
  async link(name: string, file: Blob): Promise<void> {
    const place = pathOf(file)
    if (place === undefined) await writeFile(name, new Uint8Array(await file.arrayBuffer()))
    else symlinkSync(path.resolve(place), name)
  }

  drop(name: string): void {
    try {
      unlinkSync(name)
    } catch {
      // It didn't exist.
    }
  }
}
