import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// As long as a busy machine may take, where the library's own second isn't enough; what is there sooner is seen sooner.
configure({ asyncUtilTimeout: 60_000 })

afterEach(cleanup)
// A module that loads when the page is gone fails, also for the files of tests after this one.
afterAll(() => vi.dynamicImportSettled())
