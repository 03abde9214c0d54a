/** Downloads a file from another server into a folder. It gets a free name and is published when it is complete. */
import { freePath } from '#server/files/names.ts'
import { Fault } from '#wire/fault.ts'
import { childPath } from '#wire/paths.ts'
import { metered } from './archive.ts'
import type { ItemHandler } from './job-context.ts'

export const importItem: ItemHandler = async (scope, item, context) => {
  const { imports, job } = context
  if (!imports)
    throw new Fault('forbidden', 'Imports from the web are switched off on this server.')
  const stop = new AbortController()
  const ended = AbortSignal.any([stop.signal, context.stopped])
  try {
    const { name, bytes } = await imports.open(job.source, ended)
    const target = await freePath(scope, childPath(item.path, name))
    item.resultPath = target
    context.saveItem(item)
    context.meter.next(target)
    await scope.write(target, metered(bytes, context), { overwrite: false })
    context.meter.done()
    return target
  } finally {
    stop.abort()
  }
}
