import { z } from 'zod'

// Before its first schema zod tries whether it may compile code from strings. The page's policy forbids that, and
// browsers report each try.
z.config({ jitless: true })

export { z }
