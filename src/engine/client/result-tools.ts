import type { ResultTools } from '../sql/result/types.ts'

/** What makes and reads results, with Arrow: loaded on first use. */
export async function openResultTools(): Promise<ResultTools> {
  const { tools } = await import('../sql/result/entry.js')
  return tools
}
