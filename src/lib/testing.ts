/**
 * Milliseconds of processor time that this process has had, of all its threads. Unlike the clock's they have nothing in them
 * of what else the machine does.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * How many random values a test tries: as many as each change needs. `ROWHOUSE_TRIES=10` makes them ten times as many, to
 * search for longer.
 */
export const tries = (count: number): number => Math.ceil(count * Number(process.env['ROWHOUSE_TRIES'] ?? 1))
