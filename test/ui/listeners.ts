/** Listeners to requests stay in the process: a test that sets them resets them for the files that follow. */
import { listenToRequests } from '#ui/api/request.ts'

export function resetListeners(): void {
  listenToRequests({
    onSessionLost: async () => false,
    onRenewalWanted() {},
    onResponse() {},
    onUnreachable() {},
  })
}
