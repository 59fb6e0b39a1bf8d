/* Addresses of the arrays of cells and records. */

export let text: usize = 0
/** Of each cell: its offsets in the text, and its kind. */
export let starts: usize = 0
export let ends: usize = 0
export let kinds: usize = 0
/** Of each row: the index of its first cell. */
export let first: usize = 0
/** Of each record: the index of its first cell, its offsets, its line, and its problem. */
export let firstFields: usize = 0
export let recordStarts: usize = 0
export let recordEnds: usize = 0
export let recordLines: usize = 0
export let problems: usize = 0

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
