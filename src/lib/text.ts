/** Text as it's shown: cut, with an ellipsis, where it has more characters than `most`. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)
