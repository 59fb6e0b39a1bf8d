import { beforeAll, beforeEach } from 'vitest'

/*
 * Test set-up: makes imports fast. Vitest keeps a module's exports in an object without a prototype, and looks up the
 * name at each use of an import: loops over bytes took five times as long as in the app. V8 gives an object that is
 * another one's prototype a fixed layout, which makes the look-up unnecessary.
 */

interface Module {
  readonly exports?: unknown
}

interface Worker {
  readonly evaluatedModules?: { readonly idToModuleMap?: ReadonlyMap<string, Module> }
}

/** Vitest's internal state: all modules loaded by this process. If it changes, tests are only slower. */
const worker = Reflect.get(globalThis, '__vitest_worker__') as Worker | undefined
const fast = new WeakSet<object>()

/** Modules loaded since the last call. */
function makeFast(): void {
  for (const { exports } of worker?.evaluatedModules?.idToModuleMap?.values() ?? []) {
    if (typeof exports !== 'object' || exports === null || fast.has(exports)) continue
    fast.add(exports)
    const heir = Object.create(exports) as { readonly [Symbol.toStringTag]: string }
    // V8 changes the layout at the second look-up through the prototype.
    for (let i = 0; i < 3; i++) void heir[Symbol.toStringTag]
  }
}

beforeAll(makeFast)
// Tests may load modules that later tests use.
beforeEach(makeFast)
