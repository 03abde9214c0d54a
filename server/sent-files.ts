/**
 * Files that the runtime sends at a unix socket, where connections cannot be told apart. The runtime opens each file by
 * itself; the descriptor it opened says when the answer is over, and can be made to end it. Linux; elsewhere none is
 * found.
 */
import { closeSync, openSync, readdirSync, statSync } from 'node:fs'
import { openLibrary } from '#server/os/libc.ts'

const libc = openLibrary({ dup2: { args: ['i32', 'i32'], returns: 'i32' } })

const DESCRIPTORS = '/proc/self/fd'
const NOTHING = '/dev/null'

export interface SentFile {
  /** Whether the runtime still has it open. */
  isOpen(): boolean
  /** Puts an empty file in its place: nothing more of it is sent. @returns false when it is sent already */
  cut(): boolean
}

/** Microtasks after an answer is returned, more than enough for the runtime to take it. */
const TAKEN_AFTER = 16

/**
 * Resolves when an answer with a file may be given to the runtime, which must happen at once: in a turn of its own,
 * so that what is opened in it is the file of that answer.
 *
 * @param path of the file on the disk
 * @param given called soon after; undefined when the file is sent already, or cannot be found
 */
export async function ownTurn(
  path: string,
  given: (file: SentFile | undefined) => void,
): Promise<void> {
  await new Promise<void>((turn) => setImmediate(turn))
  const file = fileOf(path)
  const known = new Set(descriptorsOf(file))
  void afterMicrotasks(TAKEN_AFTER).then(() => {
    const [descriptor, another] = descriptorsOf(file).filter((one) => !known.has(one))
    // Two cannot be told apart: a worker has opened the same file.
    const isFound = descriptor !== undefined && another === undefined
    given(isFound ? sentFile(descriptor, file) : undefined)
  })
}

async function afterMicrotasks(count: number): Promise<void> {
  for (let one = 0; one < count; one += 1) await undefined
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

/** The descriptors of this process that have a file open. */
function descriptorsOf(file: string): string[] {
  try {
    return readdirSync(DESCRIPTORS).filter((one) => fileOf(`${DESCRIPTORS}/${one}`) === file)
  } catch {
    return []
  }
}

/** What a path leads to, by device and inode; empty when it leads nowhere. */
function fileOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : ''
}
