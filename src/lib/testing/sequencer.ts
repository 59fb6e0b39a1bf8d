import type { TestSpecification } from 'vitest/node'

/**
 * Projects of `vite.config.ts`, those with the longest files first, so that no worker starts a long one when the others
 * are done.
 */
const ORDER = ['alone', 'statements on a server', 'service on a server', 'long', 'node', 'components']

export class LongestFirst {
  sort(files: readonly TestSpecification[]): TestSpecification[] {
    const place = ({ project }: TestSpecification): number => ORDER.indexOf(project.name)
    return files.toSorted((a, b) => place(a) - place(b))
  }

  /** `--shard` isn't used. */
  shard(files: TestSpecification[]): TestSpecification[] {
    return files
  }
}
