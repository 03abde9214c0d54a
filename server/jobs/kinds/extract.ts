/**
 * Extracts an archive. The archive is read once, and each entry is published as a file of its own. Entries are
 * written in batches: one batch is one change in the journal, and its small files are written in parallel.
 *
 * After a restart the archive is read again from the start. Entries that earlier batches have written are skipped, so it
 * must be the same archive.
 */
import { openArchive } from '#server/archives/read/open-archive.ts'
import { Fault } from '#wire/fault.ts'
import { NAME_ENCODINGS, type NameEncoding } from '#wire/name-encodings.ts'
import type { ItemHandler } from '../context/job-context.ts'
import { Extraction } from './extraction.ts'

export const extractItem: ItemHandler = async (scope, item, context) => {
  const { path, part } = item
  const to = context.job.to
  if (to === '') throw new Fault('internal', 'An extraction needs a destination.')
  const archive = await openArchive(scope, path, { encoding: parseEncoding(context.job.source) })
  const run = new Extraction(scope, item, context, to, archive.kind === 'zip')
  await run.skipWritten(archive.node)
  const members = archive.members()
  try {
    await scope.fill.run('extract', { from: path, to }, async (change) => {
      for (let isOver = false; !isOver; ) {
        let failure: unknown
        await change(async (into) => {
          try {
            isOver = await run.extractBatch(members, into)
          } catch (error) {
            // The files that were already written stay as one complete change.
            failure = error
          }
        })
        if (failure) throw failure
      }
    })
  } finally {
    // A later fault of the archive must not name the last entry.
    context.meter.current = ''
    await members.return()
    if (part === '') await context.replaceParts(item, run.failed.items)
  }
  run.throwIfNoneSucceeded()
  return to
}

/** The encoding that the user chose for the names; undefined if none. */
function parseEncoding(text: string): NameEncoding | undefined {
  return NAME_ENCODINGS.find((known) => known === text)
}
