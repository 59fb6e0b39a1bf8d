import { toast } from '../ui/overlays/toasts.ts'
import { onUpdateWaiting, takeUpdate } from './stand-in/registration.ts'

/** Tells the person of a newer version, which is theirs to take: what this page is doing would end. */
export function announceUpdates(): void {
  const stop = onUpdateWaiting(() => {
    queueMicrotask(() => stop())
    toast({
      title: 'A new version of Rowhouse is ready',
      description: 'Reload when nothing is running here, or close all of its tabs.',
      action: { label: 'Reload', run: takeUpdate },
    })
  })
}
