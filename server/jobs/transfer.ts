/** Copies, moves and deletes. Each item is a single change. */
import type { Scope } from '#server/access/scope.ts'
import type { StoredItem } from '#server/db/job-rows.ts'
import { makeAtFreePath } from '#server/files/names.ts'
import type { Resumable } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import { FailedParts } from './failed-parts.ts'
import type { ItemHandler, JobContext } from './job-context.ts'

export const transferItem: ItemHandler = async (scope, item, context) => {
  const { path, to, part } = item
  if (part !== '') throw notCopied()
  if (to === '') {
    await scope.remove(path)
    return ''
  }
  if (item.decision !== 'keepBoth') {
    await transferTo(scope, item, context, to)
    return to
  }
  return makeAtFreePath(scope, to, (free) => transferTo(scope, item, context, free))
}

async function transferTo(
  scope: Scope,
  item: StoredItem,
  context: JobContext,
  destination: TreePath,
): Promise<void> {
  // Saved before the change, so that it is known after a crash.
  item.resultPath = destination
  context.saveItem(item)
  const overwrite = item.decision === 'replace'
  if (context.job.kind === 'move') {
    return scope.move(item.path, destination, { overwrite, resumable: resumable(item, context) })
  }
  const leftOut = new Set<TreePath>()
  const addLeftOut = (path: TreePath) => {
    if (leftOut.size < LIMITS.partsFailedMax) leftOut.add(path)
  }
  await scope.copy(item.path, destination, {
    overwrite,
    resumable: { ...resumable(item, context), leftOut: addLeftOut },
  })
  if (leftOut.size === 0) return
  const parts = new FailedParts(item)
  for (const path of leftOut) parts.add(path, notCopied())
  context.replaceParts(item, parts.items)
}

/** The fault of a link that leads outside, a second link to the same folder, a pipe, a socket or a device. */
function notCopied(): Fault {
  return new Fault(
    'unsupported',
    'This is a link or a special file, which cannot be copied. It was skipped.',
    { reason: 'specialFile' },
  )
}

function resumable({ copyName }: StoredItem, context: JobContext): Resumable {
  const { meter, throwIfStopped, reportProgress, throwIfPreempted, comparedHashes } = context
  return {
    name: copyName,
    compared: comparedHashes,
    beforeNewFile: throwIfPreempted,
    next: (path) => {
      throwIfStopped()
      meter.next(path)
    },
    copied: (bytes) => {
      throwIfStopped()
      meter.copied(bytes)
      reportProgress()
    },
    done: () => meter.done(),
    failed: (path) => meter.next(path),
  }
}
