/**
 * Milliseconds of processor time that this process has had, of all its threads. Unlike the clock's they have nothing in them
 * of what else the machine does.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
