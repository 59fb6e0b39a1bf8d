/* Codes of ASCII characters. */

export const TAB = 0x09
export const LF = 0x0a
export const CR = 0x0d
export const SPACE = 0x20
export const BANG = 0x21
export const QUOTE = 0x22
export const HASH = 0x23
export const APOSTROPHE = 0x27
export const PAREN = 0x28
export const PAREN_END = 0x29
export const PLUS = 0x2b
export const PIPE = 0x7c
export const COMMA = 0x2c
export const DASH = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const ZERO = 0x30
export const COLON = 0x3a
export const LT = 0x3c
export const EQUALS = 0x3d
export const GT = 0x3e
export const QUESTION = 0x3f
export const BRACKET = 0x5b
export const BRACKET_END = 0x5d
export const BACKSLASH = 0x5c
export const UNDERSCORE = 0x5f
