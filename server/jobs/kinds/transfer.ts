/** Copies, moves and deletes. Each item is a single change. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { StoredItem } from '#server/db/rows/job-rows.ts'
import { isFolderAt, makeAtFreePath } from '#server/files/free-name.ts'
import type { Resumable } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { ItemHandler, JobContext } from '../context/job-context.ts'
import { faultOfLeftOut, faultOfPart, LeftOutParts } from './left-out-parts.ts'

export const transferItem: ItemHandler = async (scope, item, context) => {
  const { path, to, part } = item
  if (part !== '') throw await faultOfPart(scope, part)
  if (to === '') {
    await scope.remove(path, { onlyToTrash: item.decision === 'onlyToTrash' })
    return ''
  }
  if (item.decision !== 'keepBoth') {
    await transferTo(scope, item, context, to)
    return to
  }
  const isFolder = await isFolderAt(scope, path)
  return makeAtFreePath(scope, to, isFolder, (free) => transferTo(scope, item, context, free))
}

async function transferTo(
  scope: Scope,
  item: StoredItem,
  context: JobContext,
  destination: TreePath,
): Promise<void> {
  // Saved before the change, so that it is known after a crash.
  item.resultPath = destination
  await context.saveItem(item)
  const overwrite = item.decision === 'replace'
  if (context.job.kind === 'move') {
    return scope.move(item.path, destination, { overwrite, resumable: resumable(item, context) })
  }
  const parts = new LeftOutParts(item)
  await scope.copy(item.path, destination, {
    overwrite,
    resumable: resumable(item, context),
    leftOut: (path, why) => parts.add(path, faultOfLeftOut(path, why)),
  })
  if (parts.items.length > 0) await context.replaceParts(item, parts.items)
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
