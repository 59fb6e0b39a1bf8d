/*
 * Set-up of the tests: a process compiles DuckDB's WebAssembly once. Node's build of the library compiles it for each
 * database that a test opens, which takes longer than opening it.
 */

/** Nothing else is as large. */
const LARGE = 10_000_000

type Imports = WebAssembly.Imports

const instantiate = WebAssembly.instantiate.bind(WebAssembly) as {
  (module: WebAssembly.Module, imports?: Imports): Promise<WebAssembly.Instance>
  (source: BufferSource | WebAssembly.Module, imports?: Imports): Promise<unknown>
}
/** By their sizes. */
const compiled = new Map<number, Promise<WebAssembly.Module>>()

async function instantiateOnce(source: BufferSource | WebAssembly.Module, imports?: Imports): Promise<unknown> {
  if (source instanceof WebAssembly.Module || source.byteLength < LARGE) return instantiate(source, imports)
  let compiling = compiled.get(source.byteLength)
  if (!compiling) {
    compiling = WebAssembly.compile(source)
    compiled.set(source.byteLength, compiling)
  }
  const module = await compiling
  return { module, instance: await instantiate(module, imports) }
}

// Set-up runs for each file of tests, and some files share a process.
if (WebAssembly.instantiate.name !== instantiateOnce.name) {
  WebAssembly.instantiate = instantiateOnce as typeof WebAssembly.instantiate
}
