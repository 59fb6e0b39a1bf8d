import fc from 'fast-check'

/** `npm test` derives the number from the sources, so that values change with the sources and only with them. */
const seed = process.env['ROWHOUSE_SEED']
if (seed) fc.configureGlobal({ seed: Number(seed) })
