/** The service worker: it opens this page when nothing answers, and takes files of other apps. */
import { subscribeKey } from 'valtio/utils'
import { withBase } from '#ui/lib/location.ts'
import { session } from '#ui/state/session.ts'

/** Only secure pages may have one; the dev server builds none. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const options = { scope: withBase('/'), updateViaCache: 'none' } as const
  navigator.serviceWorker.register(withBase('/sw.js'), options).catch(() => undefined)
  subscribeKey(session, 'endedBy', (reason) => {
    if (reason === 'left') void forget()
  })
}

/** Whoever logs out leaves nothing behind. */
async function forget(): Promise<void> {
  const { forgetShared } = await import('#ui/lib/shared-files.ts')
  await forgetShared(new URL(withBase('/'), location.href).href)
}
