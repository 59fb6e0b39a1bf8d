/** An empty DuckDB 1.4 database, deflated. */
const DEFLATED =
  '7dexCcJQFAXQL1i4SMDqYzBCrBS0E+ycwKAbWJtWSJVFBFdwguwTtAgiBATLFOc0l8d9C9xzW0/LKj62h81uHf5zSWMW57/7Ii2OeX5aLmYBAAAAGIDnNbnf9qvmc796vp/jLiZdjIL9DwAAAPa//Q8AAABD8QY='

/**
 * The bytes of an empty database: what DuckDB-WASM needs in a file before it can attach it for writing, because it
 * creates none in the private file system.
 */
export async function emptyDatabase(): Promise<Uint8Array<ArrayBuffer>> {
  const deflated = Uint8Array.from(atob(DEFLATED), (char) => char.charCodeAt(0))
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
