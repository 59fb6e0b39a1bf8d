import type { Database, DatabaseOptions } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { Collations } from './functions/collations/collations.ts'
import { addJsonCasts } from './functions/json/casts.ts'
import { DocumentKernel } from './functions/json/document-kernel.ts'
import { JSON_FUNCTIONS } from './functions/json/functions.ts'
import { ENGINE_NAME } from './functions/own-names.ts'
import { Registry } from './functions/scalar-functions.ts'
import { zoneCasts } from './functions/zones/casts.ts'
import { ZONE_TEXTS, zoneFunctions, type ZoneSetting } from './functions/zones/functions.ts'
import { ZONE_MACROS } from './functions/zones/macros.ts'
import { TextReader } from './functions/zones/text.ts'

/** A DuckDB instance for running statements, in the browser or on a server. */
export interface DuckDB {
  /** @returns an unguessable folder for tables' files, with a leading and a trailing `/` */
  folder(): string
  open(options: DatabaseOptions): Promise<Database>
  /**
   * Adds our functions to a database: those that this build of DuckDB lacks.
   * @returns a function that frees their memory, to be called after each statement
   */
  extend(db: Database, setting: ZoneSetting): () => void
}

/** DuckDB-WASM in this thread. */
export const WASM: DuckDB = {
  folder: () => `/${crypto.randomUUID()}/`,
  open: openDatabase,
  extend(db, setting) {
    const registry = new Registry(db.bindings, db.guest)
    const documents = new DocumentKernel(registry.api)
    for (const each of JSON_FUNCTIONS) registry.add(each, documents.ahead(each.name))
    for (const each of [...ZONE_TEXTS, ENGINE_NAME]) registry.add(each)
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
