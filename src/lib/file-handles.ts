/** A file on the person's disk. Some methods are missing in some browsers, and so in TypeScript's types. */
type AskableHandle = FileSystemFileHandle & {
  queryPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
  requestPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>
}

/** Whether the file may be read without asking the person. */
export async function isAllowed(handle: FileSystemFileHandle): Promise<boolean> {
  const state = await (handle as AskableHandle).queryPermission?.({ mode: 'read' })
  return state === undefined || state === 'granted'
}

/** Asks the person if the browser requires that. Browsers only ask in response to a recent click. */
export async function askToRead(handle: FileSystemFileHandle): Promise<boolean> {
  if (await isAllowed(handle)) return true
  try {
    return (await (handle as AskableHandle).requestPermission?.({ mode: 'read' })) === 'granted'
  } catch {
    return false
  }
}
