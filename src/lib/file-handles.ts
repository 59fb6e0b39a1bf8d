/** A file on the person's disk. Not all of it is in every browser, and so not in TypeScript's own types. */
type AskableHandle = FileSystemFileHandle & {
  queryPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
  requestPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
}

/** Whether the file may be read without asking the person. */
export async function isAllowed(handle: FileSystemFileHandle): Promise<boolean> {
  const state = await (handle as AskableHandle).queryPermission?.({ mode: 'read' })
  return state === undefined || state === 'granted'
}

/** Asks the person, where the browser wants that. Only while a click of theirs counts does it ask. */
export async function askToRead(handle: FileSystemFileHandle): Promise<boolean> {
  if (await isAllowed(handle)) return true
  try {
    return (await (handle as AskableHandle).requestPermission?.({ mode: 'read' })) === 'granted'
  } catch {
    return false
  }
}
