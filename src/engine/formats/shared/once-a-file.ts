/**
 * Caches the result of opening a file, which inspection, preview and conversion all need. It's kept as long as the file
 * object exists, unless opening failed.
 */
export function onceAFile<Opened, Rest extends readonly unknown[]>(
  open: (file: File, ...rest: Rest) => Promise<Opened>,
): (file: File, ...rest: Rest) => Promise<Opened> {
  const opened = new WeakMap<File, Promise<Opened>>()
  return async (file, ...rest) => {
    // An earlier call may have been cancelled, which mustn't fail this one.
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
