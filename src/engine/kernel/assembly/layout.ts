/* Memory layout of columns, shared by the kernel and its callers. Offsets are in bytes. */

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
/** 64 bits since 1970-01-01; the unit is 10^-DIGITS seconds. */
export const TIMESTAMP = 13
/** As TIMESTAMP, in UTC. */
export const ZONED = 14
/** 128 bits, in units of 10^-SCALE. */
export const DECIMAL = 15

/** A column to write, as 32-bit words at these offsets. */
export const CELLS_TYPE = 0
export const CELLS_VALUES = 4
/** Of text columns. */
export const CELLS_OFFSETS = 8
/** Bitmap, 1 for valid; 0 for a column without nulls. */
export const CELLS_VALIDITY = 12
/** Bit offset of the first row, in the validity bitmap and in booleans. */
export const CELLS_BIT = 16
/** 1 if values may need quotes. */
export const CELLS_QUOTED = 20
/** Fractional digits of a timestamp's unit or of a decimal. */
export const CELLS_DIGITS = 24
export const CELLS_SIZE = 32

/** Most bytes that a value other than text takes, without the delimiter. */
export const WIDEST = 48
/** Bytes that must be addressable after any input or output, since copies go in blocks of 16 bytes. */
export const SLACK = 64

/** A column to read into, as 32-bit words at these offsets. */
export const COLUMN_TYPE = 0
/** Decimal mark and thousands separator; 0 for none. */
export const COLUMN_MARK = 4
export const COLUMN_GROUP = 8
export const COLUMN_VALUES = 12
export const COLUMN_OFFSETS = 16
export const COLUMN_VALIDITY = 20
export const COLUMN_NULLS = 24
/** Precision and scale of a decimal. */
export const COLUMN_DIGITS = 28
export const COLUMN_SCALE = 32
/** Address of the date pattern; 0 for none. */
export const COLUMN_PATTERN = 36
export const COLUMN_SIZE = 48

/**
 * Steps of a date pattern, four bytes each: a literal byte, or a part with its minimum and maximum number of digits.
 */
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

/** Kinds of cells: unquoted; quoted; quoted with escapes. */
export const CELL_PLAIN = 0
export const CELL_QUOTED = 1
export const CELL_ESCAPED = 2
/** Missing, because the row is short. */
export const CELL_MISSING = 3
/** Unquoted, and equal to a null text. */
export const CELL_NULL = 4
/** A JSON array or object. */
export const CELL_NESTED = 5

/** Passed as the escape byte if cells have JSON's escapes. */
export const JSON_ESCAPES = 256

/** How JSON rows are separated: by lines; by commas, as items of an array; or not at all. */
export const JSON_LINES = 0
export const JSON_ITEMS = 1
export const JSON_VALUES = 2

/**
 * Hash table from keys to cells. First the slots, a power of two: each is 0 or the offset of an entry. Then the
 * entries, the first of which stands for the beginning of a row. Offsets are relative to the first slot.
 */
export const KEY_SLOT = 4
/** The key's bytes as spelled, followed by a quote, and their number without it. */
export const KEY_AT = 0
export const KEY_SIZE = 4
export const KEY_CELL = 8
/** The entry of the key that followed this one last time. */
export const KEY_NEXT = 12
export const KEY_ENTRY = 16

/** Result of `extremes.ts`: rows of the minimum and the maximum, or -1, and 64-bit sums. */
export const FOUND_LEAST = 0
export const FOUND_GREATEST = 4
export const FOUND_SUMS = 8
export const FOUND_SIZE = 48

/** Result of `skipCells`, as 32-bit words for `CountedNumbers`. */
export const SKIPPED_DIGITS = 0
export const SKIPPED_BITS = 4
export const SKIPPED_NEGATIVE = 8
export const SKIPPED_SCALE = 12
export const SKIPPED_AT_SCALE = 16
export const SKIPPED_UNGROUPABLE = 20
/** Number of decimals with a trailing zero, and a bit mask of the numbers of digits before the point. */
export const SKIPPED_ZEROS = 24
export const SKIPPED_LENGTHS = 28
export const SKIPPED_SIZE = 32

/** Maximum size of a Zstandard block, and so of its literals, in bytes. */
export const MOST_LITERALS = 131072
