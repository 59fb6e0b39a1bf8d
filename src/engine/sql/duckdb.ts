import type { Database, DatabaseOptions } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { Collations } from './functions/collations/collations.ts'
import { addJsonCasts } from './functions/json/casts.ts'
import { JSON_FUNCTIONS } from './functions/json/functions.ts'
import { ENGINE_NAME } from './functions/own-names.ts'
import { Registry } from './functions/scalar-functions.ts'
import { zoneCasts } from './functions/zones/casts.ts'
import { ZONE_TEXTS, zoneFunctions, type ZoneSetting } from './functions/zones/functions.ts'
import { ZONE_MACROS } from './functions/zones/macros.ts'
import { TextReader } from './functions/zones/text.ts'

/** DuckDB as there is one to run statements in: the browser's, or one that a server has. */
export interface DuckDB {
  /** @returns a folder of its own for tables' files, with `/` at both ends; unguessable */
  folder(): string
  open(options: DatabaseOptions): Promise<Database>
  /**
   * Makes functions of ours known to every statement of a database: those that this DuckDB lacks.
   * @returns lets go of what they hold: to be called after a statement
   */
  extend(db: Database, setting: ZoneSetting): () => void
}

/** That in WebAssembly, in this thread. */
export const WASM: DuckDB = {
  folder: () => `/${crypto.randomUUID()}/`,
  open: openDatabase,
  extend(db, setting) {
    const registry = new Registry(db.bindings, db.guest)
    for (const each of [...JSON_FUNCTIONS, ...ZONE_TEXTS, ENGINE_NAME]) registry.add(each)
    for (const each of zoneFunctions(setting)) registry.addTyped(each)
    for (const each of zoneCasts(setting, new TextReader(registry.api))) registry.addCast(each)
    addJsonCasts(registry)
    const collations = new Collations()
    collations.register((name, called) => registry.addCollation(name, called))
    db.run(ZONE_MACROS)
    db.guest.progress = () => registry.api.progress(db.guest.id)
    return () => collations.forget()
  },
}
