/** Creates an archive file in the served tree. The file is published only when it is complete. */

import { archiveFormatOf } from '#server/archives/codecs/archive-formats.ts'
import { CrcCache } from '#server/archives/write/crc-cache.ts'
import { archive, selectMembers } from '#server/archives/write/write-archive.ts'
import { makeAtFreePath } from '#server/files/free-name.ts'
import type { ByteStream } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import type { ItemHandler, JobContext } from '../context/job-context.ts'
import { faultOfLeftOut, faultOfPart, LeftOutParts } from './left-out-parts.ts'

/** One archive holds all items of the job, so it is made while the first item is handled. */
export const makeArchive: ItemHandler = async (scope, item, context) => {
  const { to, decision, part } = item
  if (part !== '') throw await faultOfPart(scope, part)
  const format = archiveFormatOf(nameOf(to === '' ? item.path : to))
  if (to === '' || !format)
    throw new Fault('unsupported', 'This server does not create archives of this format.')
  const selection = await selectMembers(
    scope,
    (await context.items()).map(({ path }) => path),
  )
  const make = async (target: TreePath) => {
    const stop = new AbortController()
    const parts = new LeftOutParts(item)
    const built = await archive(scope, selection, format, {
      crcCache: new CrcCache(),
      clientLeft: stop.signal,
      leftOut: (path, why) => parts.add(path, faultOfLeftOut(path, why)),
    })
    const paths = { from: selection.base, to: parentPath(to) }
    context.meter.begin()
    context.meter.next(target)
    try {
      await scope.fill.run('archive', paths, (change) =>
        change(async (into) => {
          const bytes = metered(built.bytes(), context)
          await into.write(target, bytes, { overwrite: decision === 'replace' })
        }),
      )
    } finally {
      stop.abort()
    }
    await context.replaceParts(item, parts.items)
  }
  if (decision === 'keepBoth') return makeAtFreePath(scope, to, false, make)
  await make(to)
  return to
}

/** @returns the same bytes, which are counted for the progress; the stream fails if the job is stopped */
export function metered(
  bytes: ByteStream,
  { throwIfStopped, meter, reportProgress }: JobContext,
): ByteStream {
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      throwIfStopped()
      meter.copied(part.length)
      reportProgress()
      controller.enqueue(part)
    },
  })
  return bytes.pipeThrough(counting)
}
