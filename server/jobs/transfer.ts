/** Copies, moves and removals: each item is one change. */
import type { Scope } from '#server/access/scope.ts'
import type { StoredItem } from '#server/db/job-rows.ts'
import { freePath } from '#server/files/names.ts'
import type { Resumable } from '#server/storage/storage.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import { FailedParts } from './failed-parts.ts'
import type { Doing, Work } from './work.ts'

/** Somebody else may take each free name in the moment it is found. */
const TRIES = 16

export const transfer: Doing = async (scope, item, work) => {
  const { path, to, part } = item
  if (part !== '') throw notCopied()
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
  const overwrite = item.decision === 'replace'
  if (work.job.kind === 'move') {
    return scope.move(item.path, landed, { overwrite, resumable: resumable(item, work) })
  }
  const leftOut = new Set<TreePath>()
  const note = (path: TreePath) => {
    if (leftOut.size < LIMITS.partsFailedMax) leftOut.add(path)
  }
  await scope.copy(item.path, landed, {
    overwrite,
    resumable: { ...resumable(item, work), leftOut: note },
  })
  if (leftOut.size === 0) return
  const parts = new FailedParts(item)
  for (const path of leftOut) parts.add(path, notCopied())
  work.putParts(item, parts.items)
}

/** A link to a place outside, a second one to the same folder, a pipe, a socket or a device. */
function notCopied(): Fault {
  return new Fault(
    'unsupported',
    'It is a link or a special file that cannot be copied, and is left out.',
  )
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
