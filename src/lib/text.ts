/** Text as it's shown: cut, with an ellipsis, where it has more characters than `most`. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** What stands between the commas of a text, without spaces around it; empty parts are left out. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
