import { execFileSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import type { ByteSink } from '../sink.ts'
import { packedBytes, readDirectory } from './read.ts'
import { ZipWriter } from './write.ts'

// For gigabytes it would take minutes, and it isn't tested here.
vi.mock('./crc.ts', () => ({ crc32: () => 0x0102_0304 }))

/* Archives of more than 4 GiB, of which only the bytes around the files' data are stored. */

const MIB = 2 ** 20

interface Piece {
  readonly at: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A blob of zeros with some pieces of data. */
class FarBlob extends Blob {
  override readonly size: number
  private readonly pieces: readonly Piece[]

  constructor(size: number, pieces: readonly Piece[]) {
    super()
    this.size = size
    this.pieces = pieces
  }

  override slice(from = 0, to = this.size): Blob {
    const [start, end] = [Math.min(from, this.size), Math.min(to, this.size)]
    return new FarBlob(
      end - start,
      this.pieces.map(({ at, bytes }) => ({ at: at - start, bytes })),
    )
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.size > MIB) throw new Error('that much isn’t to be in memory')
    const all = new Uint8Array(this.size)
    for (const { at, bytes } of this.pieces) {
      const [from, to] = [Math.max(0, -at), Math.min(bytes.length, this.size - at)]
      if (from < to) all.set(bytes.subarray(from, to), at + from)
    }
    return all.buffer
  }
}

/** Keeps what isn't file data, with its position. */
class FarSink implements ByteSink {
  size = 0
  readonly pieces: Piece[] = []

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (bytes.length < MIB) this.pieces.push({ at: this.size, bytes: bytes.slice() })
    this.size += bytes.length
  }
}

/** Size of each entry in MiB: the second ends beyond what 32 bits can count, and the third is larger than that. */
const SIZES = [4090, 10, 5000, 1]

async function written(): Promise<FarSink> {
  const sink = new FarSink()
  const zip = new ZipWriter(sink)
  const run = new Uint8Array(MIB)
  for (const [i, size] of SIZES.entries()) {
    const entry = await zip.begin(`${i}.bin`, { stored: true })
    for (let at = 0; at < size; at++) await entry.write(run)
    await entry.close()
  }
  await zip.finish()
  return sink
}

/** A file of zeros and pieces of data, which Python can open. */
const FAR_FILE = `
import base64, io, json, sys, zipfile
asked = json.load(sys.stdin)
class Far(io.RawIOBase):
    at = 0
    def readable(self): return True
    def seekable(self): return True
    def tell(self): return self.at
    def seek(self, to, whence=0):
        self.at = to + (0, self.at, asked['size'])[whence]
        return self.at
    def read(self, count=-1):
        end = asked['size'] if count < 0 else min(asked['size'], self.at + count)
        out = bytearray(end - self.at)
        for start, text in asked['pieces']:
            piece = base64.b64decode(text)
            a, b = max(start, self.at), min(start + len(piece), end)
            if a < b: out[a - self.at:b - self.at] = piece[a - start:b - start]
        self.at = end
        return bytes(out)
`

const READ = `${FAR_FILE}
z = zipfile.ZipFile(Far())
heads = [z.open(i).read(16).hex() for i in z.infolist()]
print(json.dumps([[i.filename, i.file_size, i.compress_size, i.header_offset] for i in z.infolist()]))
`

/** Writes the directory of an archive without its files. */
const WRITE = `
import base64, io, json, sys, zipfile
asked = json.load(sys.stdin)
class Tail(io.BytesIO):
    def tell(self): return super().tell() + asked['at']
tail = Tail()
z = zipfile.ZipFile(io.BytesIO(), 'w')
z.fp, z.start_dir = tail, asked['at']
for name, size, offset in asked['entries']:
    entry = zipfile.ZipInfo(name)
    entry.CRC, entry.file_size, entry.compress_size, entry.header_offset = 7, size, size, offset
    z.filelist.append(entry)
z._write_end_record()
z.fp = None
print(base64.b64encode(tail.getvalue()).decode())
`

function python(program: string, input: unknown): string {
  return execFileSync('python3', ['-c', program], { encoding: 'utf8', input: JSON.stringify(input) })
}

test('our archive is read by another program and by ours', async () => {
  const { size, pieces } = await written()
  const base64 = pieces.map(({ at, bytes }) => [at, Buffer.from(bytes).toString('base64')])
  const found = JSON.parse(python(READ, { size, pieces: base64 })) as [string, number, number, number][]
  expect(found.map(([name, entry, packed]) => [name, entry, packed])).toEqual(
    SIZES.map((mib, i) => [`${i}.bin`, mib * MIB, mib * MIB]),
  )
  const file = new FarBlob(size, pieces)
  const entries = await readDirectory(file)
  expect(entries.map((entry) => [entry.name, entry.size, entry.compressedSize, entry.offset])).toEqual(found)
  for (const entry of entries) expect((await packedBytes(file, entry)).size).toBe(entry.size)
  // After the third’s data: its signature, its checksum, and its sizes in eight bytes each.
  const third = entries[2]
  const end = (third?.offset ?? 0) + 30 + '2.bin'.length + 5000 * MIB
  const view = new DataView(await file.slice(end, end + 24).arrayBuffer())
  expect([view.getUint32(0, true), view.getUint32(4, true)]).toEqual([0x0807_4b50, 0x0102_0304])
  expect([view.getBigUint64(8, true), view.getBigUint64(16, true)]).toEqual([5000n * 2n ** 20n, 5000n * 2n ** 20n])
})

test('another program’s archive is read', async () => {
  const head = Buffer.from('PK\u0003\u0004'.padEnd(30, '\0'), 'latin1')
  let at = 0
  const entries = SIZES.map((mib, i) => {
    const entry = [`${i}.bin`, mib * MIB, at] as const
    at += 30 + mib * MIB
    return entry
  })
  const tail = Buffer.from(python(WRITE, { at, entries }), 'base64')
  const pieces = [
    ...entries.map(([, , offset]) => ({ at: offset, bytes: Uint8Array.from(head) })),
    { at, bytes: Uint8Array.from(tail) },
  ]
  const file = new FarBlob(at + tail.length, pieces)
  const found = await readDirectory(file)
  expect(found.map(({ name, size, offset }) => [name, size, offset])).toEqual(entries)
  for (const entry of found) expect((await packedBytes(file, entry)).size).toBe(entry.size)
  await expect(readDirectory(file.slice(0, file.size - 1))).rejects.toThrow('cut short')
})
