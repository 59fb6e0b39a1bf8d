import { type FileMetaData, parquetMetadata } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'

/** Replaces the file's footer, to mimic older or unusual writers. The pages stay the same. */
export async function withFooter(file: File, change: (footer: FileMetaData) => void): Promise<File> {
  const bytes = await file.arrayBuffer()
  const footer = parquetMetadata(bytes)
  change(footer)
  const writer = new ByteWriter()
  writeMetadata(writer, footer)
  writer.appendBytes(new TextEncoder().encode('PAR1'))
  const length = new DataView(bytes).getUint32(bytes.byteLength - 8, true)
  return new File([bytes.slice(0, bytes.byteLength - 8 - length), writer.getBuffer()], file.name)
}
