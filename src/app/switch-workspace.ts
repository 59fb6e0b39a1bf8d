import type { SessionStore } from '../session/session.ts'
import { announce } from '../ui/overlays/announce.tsx'
import { toastFailure } from '../ui/overlays/toasts.ts'

/** Switches to a workspace, and says when that's done or why it failed. */
export async function switchWorkspace(
  store: SessionStore,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  try {
    await store.switchWorkspace(id)
    announce(`Workspace ${name} is open`)
  } catch (error) {
    toastFailure(`“${name}” wasn’t opened`, error)
  }
}
