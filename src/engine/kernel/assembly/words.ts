/* The words of JSON, which delimited text has too, as the four bytes that they begin with. */

export const NULL: u32 = 0x6c6c756e
export const TRUE: u32 = 0x65757274
/** `fals`: an `e` comes after it. */
export const FALSE: u32 = 0x736c6166
