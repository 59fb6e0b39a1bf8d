import { compile } from 'virtual:rowhouse-document-kernel'
import {
  CLOSERS_SIZE,
  DOCUMENT_JSON,
  DOCUMENT_TEXT,
  DOCUMENT_VALID,
  PATH_INDEX,
  PATH_SIZE,
  SCRATCH_SIZE,
  SLACK,
} from '../../../kernel/assembly/document-layout.ts'
import type { CApi } from '../c-api.ts'
import type { Ahead } from '../scalar-functions.ts'
import { TYPES } from '../vectors.ts'
import { pathOf } from './functions.ts'
import type { JsonPath } from './path.ts'

/** What is wanted of a document, by the function of ours that gives it. */
const WANTED: Readonly<Record<string, number>> = {
  json_extract: DOCUMENT_JSON,
  __json_extract: DOCUMENT_JSON,
  __json_text: DOCUMENT_TEXT,
  __json_valid: DOCUMENT_VALID,
}

interface Exports {
  setMemory(closers: number, path: number, scratch: number): void
  readDocuments(
    wanted: number,
    texts: number,
    valid: number,
    paths: number,
    first: number,
    rows: number,
    result: number,
    resultValid: number,
  ): number
}

let compiled: WebAssembly.Module | undefined

/** Reads JSON documents in DuckDB's memory. */
export class DocumentKernel {
  private readonly api: CApi
  private readonly kernel: Exports
  private readonly pathAt: number
  private known: JsonPath | null = null

  constructor(api: CApi) {
    this.api = api
    compiled ??= compile()
    const documents = api.exports as unknown as WebAssembly.ModuleImports
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: api.memory }, documents })
    this.kernel = exports as unknown as Exports
    const closers = api.room(CLOSERS_SIZE + PATH_SIZE + SCRATCH_SIZE + SLACK)
    this.pathAt = closers + CLOSERS_SIZE
    this.kernel.setMemory(closers, this.pathAt, this.pathAt + PATH_SIZE)
  }

  /**
   * @param name of a function of ours
   * @returns undefined where it isn't one that reads ahead
   */
  ahead(name: string): Ahead | undefined {
    const wanted = WANTED[name]
    if (wanted === undefined) return undefined
    const hasPath = wanted !== DOCUMENT_VALID
    const { api, kernel } = this
    const { exports } = api
    const isText = (vector: number): boolean => api.typeOf(vector) === TYPES.VARCHAR
    return ([json, path], args, output, rows) => {
      if (!isText(json) || (hasPath && (!isText(path) || exports.duckdb_vector_get_validity(path) !== 0))) return null
      exports.duckdb_vector_ensure_validity_writable(output)
      const resultValid = exports.duckdb_vector_get_validity(output)
      const texts = exports.duckdb_vector_get_data(json)
      const valid = exports.duckdb_vector_get_validity(json)
      const paths = hasPath ? exports.duckdb_vector_get_data(path) : 0
      return (row) => {
        const where = hasPath ? args[1].text(row) : null
        if (where && !this.use(pathOf(where))) return row
        return kernel.readDocuments(wanted, texts, valid, paths, row, rows, output, resultValid)
      }
    }
  }

  /** @returns whether the kernel can follow the path */
  private use(path: JsonPath): boolean {
    if (path === this.known) return true
    this.known = null
    const { api, pathAt } = this
    const { ints, bytes } = api
    let key = pathAt + 4 + path.steps.length * 8
    let word = pathAt >> 2
    ints[word++] = path.steps.length
    for (const step of path.steps) {
      const size = step.kind === 'key' ? step.key.length : 0
      if (key + size > pathAt + PATH_SIZE) return false
      if (step.kind === 'key') {
        ints.set([size, key], word)
        bytes.set(step.key, key)
      } else if (step.kind === 'index' && step.index >= 0 && step.index < 2 ** 31)
        ints.set([PATH_INDEX, step.index], word)
      else return false
      key += size
      word += 2
    }
    this.known = path
    return true
  }
}
