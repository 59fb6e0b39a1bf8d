import type { Plan } from '../../../contract/schemas.ts'

export const PLAN_NAMES: Readonly<Record<Plan, string>> = { free: 'Free', pro: 'Pro', business: 'Business' }
