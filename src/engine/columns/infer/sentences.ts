/* Parts of the sentences that say what was found. */

export const print = (count: number): string => count.toLocaleString('en-US')
export const quote = (text: string): string => `“${text}”`
export const all = (count: number, what: string, whatOne: string): string =>
  count === 1 ? `The one value is ${whatOne}` : `All ${print(count)} values are ${what}`
