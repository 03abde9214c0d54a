/** All test files run in one process. A file that sets listeners to requests removes them at its end. */
import { listenToRequests } from '#ui/api/client/request.ts'

export function resetListeners(): void {
  listenToRequests({
    onSessionLost: async () => false,
    onRenewalWanted() {},
    onResponse() {},
    onUnreachable() {},
  })
}
