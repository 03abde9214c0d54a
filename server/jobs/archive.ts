/** An archive of things of the tree, made as a new file: it is published when it is whole. */
import { archive, select } from '#server/files/archive.ts'
import { archiveFormatOf } from '#server/files/archive-formats.ts'
import { freePath } from '#server/files/names.ts'
import { Checks } from '#server/files/zip.ts'
import type { ByteStream } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parentPath } from '#wire/paths.ts'
import type { Doing, Work } from './work.ts'

/** All items of the job go into it together. */
export const makeArchive: Doing = async (scope, item, work) => {
  const { to, decision } = item
  const format = archiveFormatOf(nameOf(to === '' ? item.path : to))
  if (to === '' || !format) throw new Fault('unsupported', 'There is no such archive format.')
  const selection = await select(
    scope,
    work.all().map(({ path }) => path),
  )
  const stop = new AbortController()
  const made = await archive(scope, selection, format, new Checks(), stop.signal)
  const target = decision === 'keepBoth' ? await freePath(scope, to) : to
  const change = { from: selection.base, to: parentPath(to) }
  work.meter.next(target)
  try {
    await scope.fill.run('archive', change, (change) =>
      change(async (into) => {
        const bytes = metered(made.bytes(), work)
        await into.write(target, bytes, { overwrite: decision === 'replace' })
      }),
    )
  } finally {
    stop.abort()
  }
  return target
}

/** The same bytes, counted; they fail when the job is stopped. */
function metered(bytes: ByteStream, { goOn, meter, changed }: Work): ByteStream {
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      goOn()
      meter.copied(part.length)
      changed()
      controller.enqueue(part)
    },
  })
  return bytes.pipeThrough(counting)
}
