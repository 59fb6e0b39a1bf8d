/* How columns lie in the kernel's memory: shared by the kernel and by who fills its memory. Offsets are in bytes. */

/** Physical types of columns. */
export const BOOLEAN = 0
export const INT8 = 1
export const INT16 = 2
export const INT32 = 3
export const INT64 = 4
export const UINT8 = 5
export const UINT16 = 6
export const UINT32 = 7
export const UINT64 = 8
export const DOUBLE = 9
/** UTF-8 with 32-bit offsets. */
export const TEXT = 10
/** Days since 1970-01-01, 32 bits. */
export const DATE = 11
/** Microseconds since midnight, 64 bits. */
export const TIME = 12
/** 64 bits since 1970-01-01, in units of which a second has 10^DIGITS. */
export const TIMESTAMP = 13
/** As TIMESTAMP, in UTC. */
export const ZONED = 14
/** 128 bits, in units of 10^-SCALE. */
export const DECIMAL = 15

/** A column to be written: unsigned 32-bit words at these offsets. */
export const CELLS_TYPE = 0
export const CELLS_VALUES = 4
/** Of texts. */
export const CELLS_OFFSETS = 8
/** Bits, 1 where there's a value; 0 for a column without nulls. */
export const CELLS_VALIDITY = 12
/** Where the first row's bit is, in the validity and in booleans. */
export const CELLS_BIT = 16
/** 1 where a value may need quotes. */
export const CELLS_QUOTED = 20
/** After the point: of a second's fraction in a timestamp's unit, or of a decimal. */
export const CELLS_DIGITS = 24
export const CELLS_SIZE = 32

/** What a value that isn't text takes at most, in bytes, with the delimiter after it not counted. */
export const WIDEST = 48
/** After what is read or written there must be room for as much more: copies go by 16 bytes. */
export const SLACK = 64

/** A column to be read: unsigned 32-bit words at these offsets. */
export const COLUMN_TYPE = 0
/** The decimal mark, and what groups of digits are separated by; 0 for none. */
export const COLUMN_MARK = 4
export const COLUMN_GROUP = 8
export const COLUMN_VALUES = 12
export const COLUMN_OFFSETS = 16
export const COLUMN_VALIDITY = 20
export const COLUMN_NULLS = 24
/** Of a decimal: its digits, and how many of them are after the point. */
export const COLUMN_DIGITS = 28
export const COLUMN_SCALE = 32
/** A pattern that dates and times are read by; 0 for none. */
export const COLUMN_PATTERN = 36
export const COLUMN_SIZE = 48

/** Steps of a pattern, of four bytes: a literal byte, or a part with its fewest and most digits. */
export const PATTERN_END = 0
export const PATTERN_LITERAL = 1
export const PATTERN_YEAR = 2
export const PATTERN_SHORT_YEAR = 3
export const PATTERN_MONTH = 4
export const PATTERN_DAY = 5
export const PATTERN_HOUR = 6
export const PATTERN_MINUTE = 7
export const PATTERN_SECOND = 8
export const PATTERN_FRACTION = 9

/** What a cell is: unquoted; quoted; quoted with escapes in it. */
export const CELL_PLAIN = 0
export const CELL_QUOTED = 1
export const CELL_ESCAPED = 2
/** Not there, in a short row. */
export const CELL_MISSING = 3
/** Unquoted, and a text that stands for a null. */
export const CELL_NULL = 4
/** An array or object of JSON. */
export const CELL_NESTED = 5

/** In place of what escapes a quote: the escapes are JSON's. */
export const JSON_ESCAPES = 256

/** What JSON's rows are: lines; items of an array, with a comma before each; values one after another. */
export const JSON_LINES = 0
export const JSON_ITEMS = 1
export const JSON_VALUES = 2

/**
 * What keys are in which cell. Slots come first, a power of two of them: each is 0, or where an entry is. Entries come
 * after them, the first of which stands for a row's beginning. All places are counted from the first slot.
 */
export const KEY_SLOT = 4
/** The key's bytes as it's spelled, with the quote after it; and how many they are without it. */
export const KEY_AT = 0
export const KEY_SIZE = 4
export const KEY_CELL = 8
/** The entry of the key that came after this one last time. */
export const KEY_NEXT = 12
export const KEY_ENTRY = 16

/** What a search for extremes found: the rows of the least and of the greatest value, or -1; and sums, 64 bits each. */
export const FOUND_LEAST = 0
export const FOUND_GREATEST = 4
export const FOUND_SUMS = 8
export const FOUND_SIZE = 48

/** What cells had in common that were passed over, 32-bit words: what their digits were, as in `NumberStats`. */
export const PASSED_DIGITS = 0
export const PASSED_BITS = 4
export const PASSED_NEGATIVE = 8
export const PASSED_SCALE = 12
export const PASSED_AT_SCALE = 16
export const PASSED_UNGROUPABLE = 20
/** How many decimals ended with a zero. */
export const PASSED_ZEROS = 24
export const PASSED_SIZE = 32

/** Zstandard's largest block, and so the most literals that one has. Bytes. */
export const MOST_LITERALS = 131072
