import { readdirSync, readFileSync } from 'node:fs'

/** Resident memory of the largest renderer below this process, in bytes; 0 if `/proc` doesn't say. */
export function rendererMemory(): number {
  let largest = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer') || !isOurs(pid)) continue
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      largest = Math.max(largest, Number(kilobytes ?? 0) * 1024)
    } catch {
      // The process has ended meanwhile.
    }
  }
  return largest
}

/** Whether this process or a descendant started it, since there may be other browsers on the machine. */
function isOurs(pid: string): boolean {
  if (Number(pid) === process.pid) return true
  const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return parent !== undefined && parent !== '0' && isOurs(parent)
}

/** Measures the peak of the renderer's memory (page and workers are one process) while something runs. */
export async function peakMemory<T>(work: () => Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, rendererMemory())
  }, 100)
  try {
    const result = await work()
    return { result, peak: Math.max(peak, rendererMemory()) }
  } finally {
    clearInterval(timer)
  }
}
