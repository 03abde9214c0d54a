/** A Scope for the operator, without rules, with a journal entry for each change. */
import type { PathListener } from '#server/access/file-events.ts'
import type { Recorder } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { Scopes } from '#server/access/scope/scopes.ts'
import type { Storage } from '#server/storage/storage.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'

/** No user has this id. */
const NO_USER_ID = 0

/** @param scope the folder that the scope consists of; by default the whole served tree */
export function operatorScope(
  storage: Storage,
  recorder: Recorder,
  listener: PathListener,
  scope: TreePath = ROOT,
): Scope {
  const scopes = new Scopes(
    storage,
    { get: () => [], refresh: async () => undefined },
    listener,
    async () => undefined,
    recorder,
  )
  const operator = {
    id: NO_USER_ID,
    username: '',
    perm: permissionsOf('admin'),
    scope,
    rules: [],
    hideDotfiles: false,
  }
  return scopes.of(operator, async () => operator, { session: '', client: 'cli' })
}
