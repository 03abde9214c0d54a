/** Copies, moves and deletes. Each item is a single change. */
import type { Scope } from '#server/access/scope/scope.ts'
import { isUnreadable, unreadable } from '#server/archives/write/readable.ts'
import type { StoredItem } from '#server/db/rows/job-rows.ts'
import { makeAtFreePath } from '#server/files/free-name.ts'
import type { Resumable } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import type { ItemHandler, JobContext } from '../context/job-context.ts'
import { LeftOutParts } from './left-out-parts.ts'

export const transferItem: ItemHandler = async (scope, item, context) => {
  const { path, to, part } = item
  if (part !== '') throw await faultOfPart(scope, parsePath(part))
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
  const parts = new LeftOutParts(item)
  await scope.copy(item.path, destination, {
    overwrite,
    resumable: resumable(item, context),
    leftOut: (path, reason) =>
      parts.add(path, reason === 'unreadable' ? unreadable(path) : notCopied()),
  })
  if (parts.items.length > 0) context.replaceParts(item, parts.items)
}

/** The fault of a path that a copy left out. */
async function faultOfPart(scope: Scope, path: TreePath): Promise<Fault> {
  const node = await scope.stat(path).catch(() => undefined)
  return node && (await isUnreadable(scope, node)) ? unreadable(path) : notCopied()
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
