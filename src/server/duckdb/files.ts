import { mkdtempSync, symlinkSync, unlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathOf } from '../engine/files.ts'

/** The one folder that statements could reach: it has nothing but links to the tables that they may see. */
export class Files {
  readonly folder: string

  /** @param parent where it's made */
  constructor(parent: string) {
    this.folder = `${mkdtempSync(path.join(parent, 'rowhouse-'))}/`
  }

  /** Puts a file under a path in the folder. One that isn't on the disk as it is, is written there. */
  async link(name: string, file: Blob): Promise<void> {
    const place = pathOf(file)
    if (place === undefined) await writeFile(name, new Uint8Array(await file.arrayBuffer()))
    else symlinkSync(path.resolve(place), name)
  }

  drop(name: string): void {
    try {
      unlinkSync(name)
    } catch {
      // It wasn't there yet.
    }
  }
}
