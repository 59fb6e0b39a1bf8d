import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// Long enough for a busy machine, unlike the library's default of a second. Tests don't wait longer than they need.
configure({ asyncUtilTimeout: 60_000 })

// Happy DOM's does nothing, while browsers' call back once at their start.
globalThis.ResizeObserver = class implements ResizeObserver {
  private readonly changed: ResizeObserverCallback
  constructor(changed: ResizeObserverCallback) {
    this.changed = changed
  }
  observe(): void {
    this.changed([], this)
  }
  unobserve(): void {}
  disconnect(): void {}
}

afterEach(cleanup)
// A module that loads after the page is gone would fail, also in later test files.
afterAll(() => vi.dynamicImportSettled())
