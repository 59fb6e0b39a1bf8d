/** Text as fields show it: all line ends are `\n` there. */
const shownText = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/**
 * What a text is once it was changed in a field, which makes all line ends `\n`: those outside of what was typed stay as
 * they were.
 * @param typed what the field has now
 */
export function typedInto(text: string, typed: string): string {
  const shown = shownText(text)
  if (shown === text) return typed
  let start = 0
  while (start < shown.length && start < typed.length && shown[start] === typed[start]) start++
  let [end, typedEnd] = [shown.length, typed.length]
  while (end > start && typedEnd > start && shown[end - 1] === typed[typedEnd - 1]) {
    end--
    typedEnd--
  }
  const place = placesIn(text)
  const changed = text.slice(0, place(start)) + typed.slice(start, typedEnd) + text.slice(place(end))
  // What was typed may make another line end of one beside it.
  return shownText(changed) === typed ? changed : typed
}

/** Where a part of a text ends that's to be about so long: never within a character or a line end. */
export function partEnd(text: string, about: number): number {
  if (about >= text.length) return text.length
  const isWithin = /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(about - 1, about + 1))
  return isWithin ? about + 1 : about
}

/** Tells where a place in the text as it's shown is in the text; the places have to come in order. */
function placesIn(text: string): (shown: number) => number {
  let [at, passed] = [0, 0]
  return (shown) => {
    for (; passed < shown; passed++) at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    return at
  }
}
