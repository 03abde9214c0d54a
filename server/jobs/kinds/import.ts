/** Downloads a file from another server into a folder. It gets a free name and is published when it is complete. */
import { makeAtFreePath } from '#server/files/free-name.ts'
import { Fault } from '#wire/fault.ts'
import { childPath } from '#wire/paths.ts'
import type { ItemHandler } from '../context/job-context.ts'
import { metered } from './archive.ts'

export const importItem: ItemHandler = async (scope, item, context) => {
  const { imports, job, meter } = context
  if (!imports)
    throw new Fault('forbidden', 'Imports from the web are switched off on this server.')
  const stop = new AbortController()
  const ended = AbortSignal.any([stop.signal, context.stopped])
  try {
    const open = () => imports.open(job.source, ended)
    const first = await open()
    let unread: typeof first | undefined = first
    return await makeAtFreePath(scope, childPath(item.path, first.name), false, async (target) => {
      // If another user takes the name during the download, the file is downloaded again for the next name.
      const { bytes } = unread ?? (await open())
      unread = undefined
      item.resultPath = target
      await context.saveItem(item)
      meter.begin()
      meter.next(target)
      await scope.write(target, metered(bytes, context), { overwrite: false })
      meter.done()
    })
  } finally {
    stop.abort()
  }
}
