import type { Plugin } from 'vite'

const BINDINGS = /duckdb-browser-blocking\.mjs$/

/** The glue of one WebAssembly build, as the package's bundler wraps it. */
const GLUE = /\(exports,module\)=>\{"use strict";var DuckDB=[^]*?define\(\[\],\(\)=>DuckDB\)\}/g

/**
 * Leaves out DuckDB's glue for browsers without WebAssembly exceptions, half a megabyte of script: `open-database.ts` never opens
 * that build.
 */
export function duckdbGlue(): Plugin {
  return {
    name: 'rowhouse-duckdb-glue',
    apply: 'build',
    transform: {
      filter: { id: BINDINGS },
      handler(code) {
        const [mvp, eh, ...others] = code.match(GLUE) ?? []
        if (mvp === undefined || eh === undefined || others.length > 0)
          this.error('DuckDB’s package has other builds in it than the two that are known')
        return { code: code.replace(mvp, () => '()=>{}'), map: null }
      },
    },
  }
}
