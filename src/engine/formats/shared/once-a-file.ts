/**
 * Opens a file once: it's inspected, previewed, converted, each with what was found of it first. It's kept for as long as
 * the file's object is, unless it failed.
 */
export function onceAFile<Opened, Rest extends readonly unknown[]>(
  open: (file: File, ...rest: Rest) => Promise<Opened>,
): (file: File, ...rest: Rest) => Promise<Opened> {
  const opened = new WeakMap<File, Promise<Opened>>()
  return (file, ...rest) => {
    const known = opened.get(file)
    if (known) return known
    const opening = open(file, ...rest)
    opened.set(file, opening)
    opening.catch(() => opened.delete(file))
    return opening
  }
}
