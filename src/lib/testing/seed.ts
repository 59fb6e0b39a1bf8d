import fc from 'fast-check'

/** `npm test` gives a number made from the sources: it tries other values with each change, the same ones again without. */
const seed = process.env['ROWHOUSE_SEED']
if (seed) fc.configureGlobal({ seed: Number(seed) })
