import { buildServer } from './server.ts'

/** Builds the server before tests that start its processes or its threads. */
export async function setup(): Promise<void> {
  await buildServer()
}
