import type { ResultTools } from './types.ts'

export declare const tools: ResultTools
