/* Where the cells and records of delimited text are in memory. */

export let text: usize = 0
/** Of each cell its offsets in the text, and what it is. */
export let starts: usize = 0
export let ends: usize = 0
export let kinds: usize = 0
/** Of each row its first cell's number. */
export let first: usize = 0
/** Of each record its first cell's number, its offsets, its line, and what is wrong with it. */
export let firstFields: usize = 0
export let recordStarts: usize = 0
export let recordEnds: usize = 0
export let recordLines: usize = 0
export let problems: usize = 0

/** Sets them all. */
export function usePlaces(
  textAt: usize,
  startsAt: usize,
  endsAt: usize,
  kindsAt: usize,
  firstAt: usize,
  firstFieldsAt: usize,
  recordStartsAt: usize,
  recordEndsAt: usize,
  recordLinesAt: usize,
  problemsAt: usize,
): void {
  text = textAt
  starts = startsAt
  ends = endsAt
  kinds = kindsAt
  first = firstAt
  firstFields = firstFieldsAt
  recordStarts = recordStartsAt
  recordEnds = recordEndsAt
  recordLines = recordLinesAt
  problems = problemsAt
}
