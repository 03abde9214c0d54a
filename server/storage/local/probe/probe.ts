/**
 * Tries what servers rely on, with files in a folder of its own. One machine cannot see by this what two machines do at the
 * same moment; for that, two servers make names together (server/cluster/name-meeting.ts).
 */
import { constants, linkSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { flushFolder } from '#server/os/flush.ts'
import { setModifiedAt } from '#server/os/set-modified.ts'
import { lacksBetween, type Promised } from '#server/storage/probe.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { isFull, openOwnFolder, randomName } from '../attributes/own-folder.ts'
import { lstatAt } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle, OpenFolderAt } from '../handles/handle.ts'
import { STARTING_PREFIX } from '../private/private-folder.ts'
import { makeNames } from './names-made.ts'

/** A time with milliseconds. */
const MODIFIED_MS = 1_600_000_000_123
const FOLDER = constants.O_RDONLY | O_DIRECTORY
/** What two handles try at the same moment depends on these, so it is tried only with them. */
const ALONE: readonly Promised[] = ['createsOnce', 'renamesToFree']

/** The folder of the trials, opened twice, as by two requests. */
interface Opened {
  one: Handle
  other: Handle
}

/** Whether a file system keeps a promise. What throws counts as no, except on a full disk. */
const TRIALS: Record<Promised, (opened: Opened) => boolean | Promise<boolean>> = {
  createsOnce({ one, other }) {
    create(one, 'first')
    return isTaken(() => create(other, 'first', 'second')) && contentOf(other, 'first') === 'first'
  },
  renamesToFree({ one, other }) {
    create(one, 'from')
    create(one, 'taken')
    if (!isTaken(() => one.renameToFree('from', other, 'taken'))) return false
    if (contentOf(one, 'from') !== 'from' || contentOf(other, 'taken') !== 'taken') return false
    one.renameToFree('from', other, 'free')
    return contentOf(other, 'free') === 'from'
  },
  async namesOnce({ one, other }) {
    const [ofOne, ofOther] = await Promise.all([makeNames(one, 'one'), makeNames(other, 'other')])
    return lacksBetween(ofOne, ofOther).length === 0
  },
  exchanges({ one, other }) {
    create(one, 'left')
    create(one, 'right')
    one.exchange('left', other, 'right')
    return contentOf(one, 'left') === 'right' && contentOf(other, 'right') === 'left'
  },
  links({ one, other }) {
    create(one, 'original')
    linkSync(one.at('original'), other.at('link'))
    return inodeOf(one, 'original') === inodeOf(other, 'link')
  },
  storesTimes({ one, other }) {
    create(one, 'timed')
    setModifiedAt(one.at('timed'), MODIFIED_MS)
    const seenMs = Number(lstatAt({ parent: other, name: 'timed' })?.mtimeMs)
    // The call has a number of seconds, which rounds the last millisecond.
    return Math.abs(seenMs - MODIFIED_MS) <= 1
  },
  flushesFolders({ one }) {
    flushFolder(one.diskText)
    return true
  },
  keepsInode({ one, other }) {
    create(one, 'before')
    const inode = inodeOf(other, 'before')
    renameSync(one.at('before'), one.at('after'))
    return inode !== undefined && inodeOf(other, 'after') === inode
  },
}

/**
 * @param parent a folder of the server
 * @param name of the folder for the trials, which is removed at the end
 * @returns what the file system lacks
 * @throws system errors, if the disk is full or the folder cannot be created
 */
export async function lacksIn(parent: Handle, name: string): Promise<Promised[]> {
  using one = openOwnFolder(parent, name)
  try {
    using other = parent.child(name, FOLDER)
    return await lacksOf({ one, other })
  } finally {
    await fileCalls.rm(parent.at(name), { recursive: true, force: true })
  }
}

/**
 * As `lacksIn`, for a served folder that this process does not serve.
 *
 * @returns undefined if it was not served yet, or the disk is full
 * @throws system errors
 */
export async function lacksAt(path: string, open: OpenFolderAt): Promise<Promised[] | undefined> {
  using root = open(path)
  if (!root.names().includes(PRIVATE_FOLDER)) return undefined
  using folder = root.child(PRIVATE_FOLDER, FOLDER)
  try {
    // The next start removes a folder of this name.
    return await lacksIn(folder, STARTING_PREFIX + randomName())
  } catch (error) {
    if (!isFull(error)) throw error
    return undefined
  }
}

async function lacksOf(opened: Opened): Promise<Promised[]> {
  const lacks: Promised[] = []
  for (const promised of Object.keys(TRIALS) as Promised[]) {
    if (promised === 'namesOnce' && ALONE.some((needed) => lacks.includes(needed))) continue
    if (!(await isKept(() => TRIALS[promised](opened)))) lacks.push(promised)
  }
  return lacks
}

async function isKept(trial: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await trial()
  } catch (error) {
    if (isFull(error) || errnoOf(error) === undefined) throw error
    return false
  }
}

function create(folder: Handle, name: string, content = name): void {
  writeFileSync(folder.at(name), content, { flag: 'wx', mode: 0o600 })
}

function contentOf(folder: Handle, name: string): string {
  return readFileSync(folder.at(name), 'utf8')
}

function inodeOf(folder: Handle, name: string): bigint | undefined {
  return lstatAt({ parent: folder, name })?.ino
}

function isTaken(act: () => void): boolean {
  try {
    act()
    return false
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return true
  }
}
