/** What a local storage offers besides reading and changing files. */

import type { Capabilities, NameSearch } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from './confine/confined-folder.ts'
import { withFaults } from './handles/faults.ts'
import { copiesOn, isSameVolume, removeCopyFrom } from './operations/copy.ts'
import { folderSharingOf } from './operations/processes.ts'
import type { ServedFolder } from './operations/served-folder.ts'
import { snapshotsIn } from './operations/snapshots.ts'
import { type TrashDeps, trashStoreOf } from './operations/trash-store.ts'
import { watchFolder } from './operations/watch.ts'
import type { OpenFolder } from './read/folder-records.ts'

export function localCapabilities(
  served: ServedFolder,
  view: TrashDeps & { names: NameSearch },
): Capabilities {
  const { trashes } = served.volumes
  const { confined, names } = view
  return {
    links: true,
    write: !!served.volumes.uploads,
    foldsCase: served.folds.atRoot,
    openForCommand: (path) =>
      inFolder(view, path, (folder, confinedFolder) => confinedFolder.openForCommand(folder)),
    watch: (path, changed) =>
      inFolder(view, path, ({ handle }) => watchFolder(handle.disk, changed)),
    names,
    copies: () => withFaults(() => copiesOn(served)),
    isSameVolume: (from, to) => withFaults(() => isSameVolume(confined(), from, to)),
    removeCopy: (name, to) =>
      withFaults(() => removeCopyFrom(confined(), served.volumes, { name, to })),
    snapshots: snapshotsIn(confined),
    ...(trashes && { trash: trashStoreOf(trashes, view) }),
    ...(trashes && { sharing: folderSharingOf(served.volumes) }),
  }
}

/** Calls `act` with an open folder, and closes it. */
function inFolder<T>(
  { confined }: Pick<TrashDeps, 'confined'>,
  path: TreePath,
  act: (folder: OpenFolder, confined: ConfinedFolder) => T,
): Promise<T> {
  return withFaults<T>(() => {
    using confinedFolder = confined()
    using folder = confinedFolder.openFolder(path)
    return act(folder, confinedFolder)
  })
}
