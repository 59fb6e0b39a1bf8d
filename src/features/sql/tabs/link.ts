import { ByteWriter } from '../../../lib/bytes.ts'
import { chunksOf } from '../../../lib/streams.ts'
import { copyText } from '../../../ui/overlays/copy-text.ts'
import { formatCount } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import type { SqlTab } from '../types.ts'

/* Shares a statement as a link. It's in the fragment, which browsers don't send to servers. */

/** Longer links are cut by mail programs, chats and some browsers. */
export const LONGEST_LINK = 32_000
/** Most characters of an unpacked link, as a protection against decompression bombs. */
const MOST_TEXT = 2_000_000
const KEY = 'sql'

type SharedSql = { readonly text: string } | { readonly problem: string }

/**
 * A link that opens `text` in a new tab; null if it would be too long.
 * @param page the SQL screen's address, without a fragment
 */
export async function linkTo(text: string, page: string): Promise<string | null> {
  const packed = await transform(new TextEncoder().encode(text), new CompressionStream('deflate-raw'), Infinity)
  const link = `${page}#${KEY}=${toBase64Url(packed)}`
  return link.length > LONGEST_LINK ? null : link
}

/** Parses a fragment (`#sql=...`); null if it isn't one. */
export async function readLink(fragment: string): Promise<SharedSql | null> {
  const found = new RegExp(`^#?${KEY}=(.*)$`, 's').exec(fragment)
  if (!found) return null
  const damaged = {
    problem:
      'The link’s SQL can’t be read: it seems to be cut off or changed. Ask for the link again, or for the .sql file.',
  }
  try {
    const bytes = fromBase64Url(found[1] ?? '')
    const text = await transform(bytes, new DecompressionStream('deflate-raw'), MOST_TEXT)
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text) }
  } catch {
    return damaged
  }
}

async function transform(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const made = new ByteWriter()
  for await (const chunk of chunksOf(new Blob([bytes]).stream().pipeThrough(stream))) {
    made.append(chunk)
    if (made.length > most) throw new RangeError('more than a link may hold')
  }
  return made.take()
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** @throws {DOMException} if it isn't base64url */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** Copies a link to the tab's SQL, and shows a message about what it contains. */
export async function copyLink({ text, parameters }: Pick<SqlTab, 'text' | 'parameters'>): Promise<void> {
  // The path has a tab id, which only this browser knows.
  const page = location.href.replace(/[#?].*$/, '').replace(/\/sql(\/[^/]*)?$/, '/sql')
  const link = await linkTo(text, page)
  if (link === null) {
    toast({
      title: 'The SQL is too long for a link',
      description: `A link may have ${formatCount(LONGEST_LINK)} characters. Use “Download as .sql” and send the file.`,
      tone: 'bad',
    })
    return
  }
  if (!(await copyText(link, 'Use “Download as .sql” instead.', 'Link copied'))) return
  const without = Object.keys(parameters).length > 0 ? 'the values of parameters and the data aren’t' : 'no data is'
  toast({ title: 'Link copied', description: `It holds the SQL itself; ${without}. Opening it runs nothing.` })
}
