/** Flushes several open files in the thread that asks. */
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { startWriting } from '#server/os/start-writing.ts'
import { asTaskFailure, type FileFailures } from './new-file.ts'

/** An open descriptor, and what is flushed: the file, or only its data without times and permissions. */
export interface OpenTarget {
  fd: number
  extent: 'file' | 'data'
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
      if (extent === 'data') fdatasyncSync(fd)
      else fsyncSync(fd)
      return undefined
    } catch (error) {
      return asTaskFailure(error)
    }
  })
}
