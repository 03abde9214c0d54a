/**
 * Registers the service worker: it serves this page while the server is unreachable, and receives files from other
 * apps.
 */
import { subscribeKey } from 'valtio/utils'
import { withBase } from '#ui/lib/page/location.ts'
import { session } from '#ui/state/session/session.ts'

/** Service workers require a secure context; the dev server does not build a service worker. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const options = { scope: withBase('/'), updateViaCache: 'none' } as const
  navigator.serviceWorker.register(withBase('/sw.js'), options).catch(() => undefined)
  subscribeKey(session, 'endedBy', (reason) => {
    if (reason === 'left') void deleteStoredFiles()
  })
}

/** Deletes files received from other apps, so that none stay on the device after sign-out. */
async function deleteStoredFiles(): Promise<void> {
  const { deleteReceivedFiles } = await import('#ui/lib/urls/received-files.ts')
  await deleteReceivedFiles(new URL(withBase('/'), location.href).href)
}
