import { z } from 'zod'

// Before its first schema, zod tries to compile code from a string. The page's content security policy forbids that,
// and browsers report each attempt.
z.config({ jitless: true })

export { z }
