/**
 * Tracks files that Bun sends over a unix socket, where connections cannot be distinguished. Bun opens each file
 * itself. The descriptor of the file shows when the response ends, and can be used to abort it. Linux only; on
 * other systems no file is found.
 */
import { closeSync, openSync, readdirSync, statSync } from 'node:fs'
import { openLibrary } from '#server/os/libc.ts'

const libc = openLibrary({ dup2: { args: ['i32', 'i32'], returns: 'i32' } })

const DESCRIPTORS = '/proc/self/fd'
const NOTHING = '/dev/null'

export interface SentFile {
  /** Whether Bun still has the file open. */
  isOpen(): boolean
  /**
   * Replaces the descriptor by an empty file, so that nothing more is sent.
   *
   * @returns false if the file is already sent
   */
  cut(): boolean
}

/** Bun opens the file of a returned response within this number of microtasks. */
const OPENED_WITHIN = 16

/**
 * Resolves when a response with a file may be returned. The caller must return it at once: a descriptor of this file
 * that appears in this turn of the event loop belongs to the response.
 *
 * @param path of the file on the disk
 * @param onTracked called soon after; undefined if the file is already sent or was not found
 */
export async function trackSentFile(
  path: string,
  onTracked: (file: SentFile | undefined) => void,
): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
  const file = fileOf(path)
  const known = new Set(descriptorsOf(file))
  void afterMicrotasks(OPENED_WITHIN).then(() => {
    const [descriptor, another] = descriptorsOf(file).filter((candidate) => !known.has(candidate))
    // With a second new descriptor, which a worker has opened, the two cannot be distinguished.
    const isFound = descriptor !== undefined && another === undefined
    onTracked(isFound ? sentFile(descriptor, file) : undefined)
  })
}

async function afterMicrotasks(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await undefined
}

function sentFile(descriptor: string, file: string): SentFile {
  const path = `${DESCRIPTORS}/${descriptor}`
  const isOpen = () => fileOf(path) === file
  return {
    isOpen,
    cut() {
      if (!isOpen()) return false
      const nothing = openSync(NOTHING, 'r')
      try {
        return libc?.dup2(nothing, Number(descriptor)) === Number(descriptor)
      } finally {
        closeSync(nothing)
      }
    },
  }
}

/**
 * @param file as `fileOf` returns it
 * @returns the descriptors of this process for the file
 */
function descriptorsOf(file: string): string[] {
  try {
    return readdirSync(DESCRIPTORS).filter(
      (descriptor) => fileOf(`${DESCRIPTORS}/${descriptor}`) === file,
    )
  } catch {
    return []
  }
}

/** Device and inode of a path; empty if it does not exist. */
function fileOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : ''
}
