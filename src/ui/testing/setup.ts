import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// As long as a busy machine may take, where the library's own second isn't enough; what is there sooner is seen sooner.
configure({ asyncUtilTimeout: 60_000 })

afterEach(cleanup)
