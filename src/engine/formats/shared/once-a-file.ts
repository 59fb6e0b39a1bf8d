/**
 * Opens a file once: it's inspected, previewed, converted, each with what was found of it first. It's kept for as long as
 * the file's object is, unless it failed.
 */
export function onceAFile<Opened, Rest extends readonly unknown[]>(
  open: (file: File, ...rest: Rest) => Promise<Opened>,
): (file: File, ...rest: Rest) => Promise<Opened> {
  const opened = new WeakMap<File, Promise<Opened>>()
  return async (file, ...rest) => {
    // Another call may have been cancelled in the middle of opening it; that is no failure of this one.
    const known = await opened.get(file)?.catch(() => null)
    if (known) return known
    const opening = open(file, ...rest)
    opened.set(file, opening)
    opening.catch(() => {
      if (opened.get(file) === opening) opened.delete(file)
    })
    return opening
  }
}
