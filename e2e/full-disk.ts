import { expect, type Page } from '@playwright/test'
import { sql, type Account } from './api.ts'

/* Shared by the specs about full disks. */

/** Leaves that many bytes of space; null for all space. */
export type LeaveRoom = (room: number | null) => Promise<void>

/** Limits the origin's quota to its usage plus the given space. */
export async function smallDisk(page: Page): Promise<LeaveRoom> {
  // The limit ends with the session that set it.
  const devtools = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  return async (room) => {
    const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate())
    const limit = room === null ? {} : { quotaSize: Math.round(usage + room) }
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, ...limit })
  }
}

/** Files below a folder of the private file system, including `.part` files. */
export function filesIn(page: Page, folder: string): Promise<string[]> {
  return page.evaluate(async (name) => {
    const found: string[] = []
    const walk = async (handle: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [each, entry] of handle.entries()) {
        if (entry.kind === 'file') found.push(each)
        else await walk(entry)
      }
    }
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true }))
    return found
  }, folder)
}

/** A dataset with one table, `t`, from an uploaded file. */
export async function create(
  by: Account,
  name: string,
  url: string,
): Promise<{ status: number; retryAfter: string | undefined }> {
  const { status, headers } = await by.call('POST', '/public/v1/datasets', {
    workspace_id: by.workspace.id,
    dataset_name: name,
    tables: [{ table_name: 't', signed_url: url }],
  })
  return { status, retryAfter: headers['retry-after'] }
}

/** Checks the row count, and sums that only the whole table has. */
export async function expectWhole(by: Account, name: string): Promise<void> {
  const { data, text } = await sql(
    by,
    `SELECT count(*)::INT AS n, sum(id)::VARCHAR AS s, sum(amount)::BIGINT::VARCHAR AS a FROM ${by.workspace.slug}.${name}.t`,
  )
  expect(data['rows'], text).toEqual([{ n: ROWS, s: '4999950000', a: '624993750' }])
}

export const ROWS = 100_000
/** A table with that many rows. */
export const TEXT = `id,word,amount\n${Array.from({ length: ROWS }, (_, i) => `${i},word ${(i * 7919) % 99_991},${i / 8}`).join('\n')}\n`
export const MB = 1_000_000
