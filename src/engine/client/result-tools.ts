import type { ResultTools } from '../result/types.ts'

/** What makes and reads results, with Arrow: loaded on first use. */
export async function openResultTools(): Promise<ResultTools> {
  const { tools } = await import('../result/door.js')
  return tools
}
