/** Flushes several open files in the thread that asks. */
import { type FileExtent, flushOpen } from '#server/os/flush.ts'
import { startWriting } from '#server/os/start-writing.ts'
import { asTaskFailure, type FileFailures } from './new-file.ts'

/** An open descriptor, and what is flushed. */
export interface OpenTarget {
  fd: number
  extent: FileExtent
}

/**
 * Flushes open files. The writing of all of them begins first, so that the file system needs one commit of its journal
 * for them, and not one for each.
 *
 * @returns the failures in order; undefined for a flush that did not fail
 */
export function flushAll(targets: readonly OpenTarget[]): FileFailures {
  if (targets.length > 1) for (const { fd } of targets) startWriting(fd)
  return targets.map(({ fd, extent }) => {
    try {
      flushOpen(fd, extent)
      return undefined
    } catch (error) {
      return asTaskFailure(error)
    }
  })
}
