/** What a build is made of, by paths below its folder. */
export interface Manifest {
  /** Another one when anything is. */
  readonly version: string
  /** Their names hold a hash of their contents: one that's known never changes. */
  readonly assets: readonly string[]
  /** Files of fixed names, besides the start page. */
  readonly shell: readonly string[]
  /** First parts of the addresses that are the app's own pages. */
  readonly routes: readonly string[]
}
