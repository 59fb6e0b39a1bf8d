/*
 * Test set-up that compiles DuckDB's WebAssembly once per process. The library's build for Node compiles it for each
 * database that a test opens, which takes longer than opening it.
 */

/** In bytes. No other module is as large. */
const LARGE = 10_000_000

type Imports = WebAssembly.Imports

const instantiate = WebAssembly.instantiate.bind(WebAssembly) as {
  (module: WebAssembly.Module, imports?: Imports): Promise<WebAssembly.Instance>
  (source: BufferSource | WebAssembly.Module, imports?: Imports): Promise<unknown>
}
/** By size in bytes. */
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

// Runs for each test file, and some test files share a process.
if (WebAssembly.instantiate.name !== instantiateOnce.name) {
  WebAssembly.instantiate = instantiateOnce as typeof WebAssembly.instantiate
}
