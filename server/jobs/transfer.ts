/** Copies, moves and removals: each item is one change. */
import type { Scope } from '#server/access/scope.ts'
import type { StoredItem } from '#server/db/job-rows.ts'
import { freePath } from '#server/files/names.ts'
import type { Resumable } from '#server/storage/storage.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Doing, Work } from './work.ts'

/** Somebody else may take each free name in the moment it is found. */
const TRIES = 16

export const transfer: Doing = async (scope, item, work) => {
  const { path, to } = item
  if (to === '') {
    await scope.remove(path)
    return ''
  }
  if (item.decision !== 'keepBoth') {
    await act(scope, item, work, to)
    return to
  }
  for (let attempt = 1; ; attempt += 1) {
    const free = await freePath(scope, to)
    try {
      await act(scope, item, work, free)
      return free
    } catch (error) {
      if (!isFault(error, 'conflict') || attempt >= TRIES) throw error
    }
  }
}

async function act(scope: Scope, item: StoredItem, work: Work, landed: TreePath): Promise<void> {
  // Written before the change, so that it is known after a kill.
  item.landed = landed
  work.put(item)
  const options = { overwrite: item.decision === 'replace', resumable: resumable(item, work) }
  if (work.job.kind === 'copy') await scope.copy(item.path, landed, options)
  else await scope.move(item.path, landed, options)
}

function resumable({ copyName }: StoredItem, { meter, goOn, changed }: Work): Resumable {
  return {
    name: copyName,
    next: (path) => {
      goOn()
      meter.next(path)
    },
    copied: (bytes) => {
      goOn()
      meter.copied(bytes)
      changed()
    },
    done: () => meter.done(),
  }
}
