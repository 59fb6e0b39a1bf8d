import { monitorEventLoopDelay } from 'node:perf_hooks'

/* Metrics in Prometheus's text format (version 0.0.4). */

export interface RequestMetrics {
  readonly method: string
  /** The requested route as a pattern, of which there is a limited number. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

export interface Metrics {
  began(): void
  ended(request: RequestMetrics): void
  /** @param extra additional gauges by name */
  render(extra?: Readonly<Record<string, { readonly help: string; readonly value: number }>>): string
}

/** Upper bounds of the histogram's buckets in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface Series {
  count: number
  sum: number
  readonly buckets: number[]
}

export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const durations = new Map<string, Series>()
  const delay = monitorEventLoopDelay()
  delay.enable()
  let running = 0
  return {
    began() {
      running++
    },
    ended({ method, route, status, seconds }) {
      running--
      const series = labels({ method, route, status: String(status) })
      requests.set(series, (requests.get(series) ?? 0) + 1)
      const key = labelList({ method, route })
      const found = durations.get(key) ?? { count: 0, sum: 0, buckets: BUCKETS.map(() => 0) }
      durations.set(key, found)
      found.count++
      found.sum += seconds
      for (const [i, bound] of BUCKETS.entries()) if (seconds <= bound) found.buckets[i]++
    },
    render(extra = {}) {
      const { rss, heapUsed } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      const seconds = 'rowhouse_http_request_duration_seconds'
      return [
        ...header('rowhouse_http_requests_total', 'counter', 'Requests that were answered.'),
        ...Array.from(requests, ([series, count]) => `rowhouse_http_requests_total${series} ${count}`),
        ...header(seconds, 'histogram', 'Time from a request to the end of its answer.'),
        ...Array.from(durations, ([key, series]) => histogram(seconds, key, series)).flat(),
        ...gauge('rowhouse_http_requests_running', 'Requests that are being answered.', running),
        ...Object.entries(extra).flatMap(([name, { help, value }]) => gauge(name, help, value)),
        ...gauge(
          'nodejs_eventloop_delay_max_seconds',
          'Longest delay of the event loop since last asked.',
          delayOf(delay),
        ),
        ...gauge('nodejs_heap_used_bytes', 'Memory of the JavaScript heap.', heapUsed),
        ...gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
        ...header('process_cpu_seconds_total', 'counter', 'Time that the process computed.'),
        `process_cpu_seconds_total ${(user + system) / 1e6}`,
        ...gauge('process_start_time_seconds', 'When the process began.', Date.now() / 1000 - process.uptime()),
        '',
      ].join('\n')
    },
  }
}

function delayOf(delay: ReturnType<typeof monitorEventLoopDelay>): number {
  const { max } = delay
  delay.reset()
  return Number.isFinite(max) ? max / 1e9 : 0
}

function header(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function gauge(name: string, help: string, value: number): string[] {
  return [...header(name, 'gauge', help), `${name} ${value}`]
}

function histogram(name: string, key: string, { count, sum, buckets }: Series): string[] {
  return [
    ...BUCKETS.map((bound, i) => `${name}_bucket{${key},le="${bound}"} ${buckets[i]}`),
    `${name}_bucket{${key},le="+Inf"} ${count}`,
    `${name}_sum{${key}} ${sum}`,
    `${name}_count{${key}} ${count}`,
  ]
}

function labelList(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`)
    .join(',')
}

const labels = (values: Readonly<Record<string, string>>): string => `{${labelList(values)}}`
