/* The words of JSON as their first four bytes. Delimited text uses them, too. */

export const NULL: u32 = 0x6c6c756e
export const TRUE: u32 = 0x65757274
/** `fals`; an `e` must follow. */
export const FALSE: u32 = 0x736c6166
