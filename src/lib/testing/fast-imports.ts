import { beforeAll, beforeEach } from 'vitest'

/*
 * Set-up of the tests: makes imports fast. Vitest keeps what a module exports in an object without a prototype, and each
 * use of an import looks its name up there: loops over bytes took five times as long as in the app. V8 gives an object
 * that is the prototype of another one a fixed layout, and then has no more to look up.
 */

interface Module {
  readonly exports?: unknown
}

interface Worker {
  readonly evaluatedModules?: { readonly idToModuleMap?: ReadonlyMap<string, Module> }
}

/** Vitest's own state: all modules that this process has loaded. Were it to change, tests would only be slower. */
const worker = Reflect.get(globalThis, '__vitest_worker__') as Worker | undefined
const fast = new WeakSet<object>()

/** Those that were loaded since it was last called. */
function makeFast(): void {
  for (const { exports } of worker?.evaluatedModules?.idToModuleMap?.values() ?? []) {
    if (typeof exports !== 'object' || exports === null || fast.has(exports)) continue
    fast.add(exports)
    const heir = Object.create(exports) as { readonly [Symbol.toStringTag]: string }
    // V8 changes a prototype when something is looked up through it for the second time.
    for (let i = 0; i < 3; i++) void heir[Symbol.toStringTag]
  }
}

beforeAll(makeFast)
// Some are loaded by a test, and then used by the next.
beforeEach(makeFast)
