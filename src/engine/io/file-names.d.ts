import type { DecodedNames } from '../../tables/encodings.ts'

export declare function decodeNames(names: readonly Uint8Array[]): DecodedNames
