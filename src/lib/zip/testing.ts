import { MemorySink } from '../sink.ts'
import { ZipWriter } from './write.ts'

/** An archive with these files, by path. Tests only. */
export async function zipOf(
  files: readonly (readonly [path: string, content: string | Uint8Array<ArrayBuffer>])[],
  name = 'all.zip',
  stored = false,
): Promise<File> {
  const sink = new MemorySink()
  const writer = new ZipWriter(sink)
  for (const [path, content] of files) {
    const entry = await writer.begin(path, { stored })
    await entry.write(typeof content === 'string' ? new TextEncoder().encode(content) : content)
    await entry.close()
  }
  await writer.finish()
  return sink.file(name, 'application/zip')
}
