/** Outputs lie in this folder of the origin's private file system, a folder a job. */
export const OUTPUT_FOLDER = 'outputs'
/** What is being written carries it until it's whole. */
export const PART_SUFFIX = '.part'
