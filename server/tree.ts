/** The served tree with its journal and its trash: what a server and the command line both need of it. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Config } from './config/config.ts'
import { reservedPaths } from './config/reserved-paths.ts'
import type { JournalRows } from './db/journal.ts'
import type { KeptRows } from './db/kept.ts'
import type { FlushQueue } from './flush/flush-queue.ts'
import { Journal } from './journal/journal.ts'
import { Trash } from './journal/trash.ts'
import { Undo } from './journal/undo.ts'
import { LocalStorage } from './storage/local.ts'
import type { LocalOptions } from './storage/served-folder.ts'
import { ROOT_TRASH, type TrashId } from './storage/step.ts'

export interface Tree {
  /** The served folder on the disk. */
  root: string
  storage: LocalStorage
  journal: Journal
  trash: Trash
  undo: Undo
  /** Looks after journal and trash now and again, as long as it is open. */
  watch(): void
  close(): void
}

export interface TreeDeps {
  rows: { journal: JournalRows; kept: KeptRows }
  flushes: FlushQueue
  /** Which public links lead to a place, as a text; empty for none. */
  sharesAt(path: TreePath): string
}

const LOOK_EVERY_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000

/**
 * Opens the served folder, and settles what a killed process left.
 *
 * @throws Fault with a sentence for the operator: root missing, unreadable
 */
export async function openTree(
  root: string,
  config: Config,
  { rows, flushes, sharesAt }: TreeDeps,
): Promise<Tree> {
  let trash: Trash | undefined
  const storage = await openStorage(root, config, {
    makeRoom: async (full) => (await trash?.makeRoom(full)) ?? false,
    reclaimable: (folder) => trash?.reclaimable(folder) ?? 0,
    flushes,
  })
  try {
    const content = storage.can.kept
    const usage = (folder: TrashId) =>
      content && folder !== ROOT_TRASH ? content.usage(folder) : storage.usage(ROOT)
    trash = new Trash(rows.kept, content, usage, {
      root,
      isOn: config.flag('trash'),
      except: config.args('trashExcept').map((folder) => parsePath(folder)),
      keepMs: config.number('trashDays') * DAY_MS,
      sharePercent: config.number('trashShare'),
      versionsMax: config.number('trashVersions'),
      thingsMax: LIMITS.keptThingsMax,
    })
    const journal = new Journal(
      { rows: rows.journal, kept: rows.kept, content, trash, sharesAt },
      {
        root,
        keepMs: config.number('journalDays') * DAY_MS,
        entriesMax: config.number('journalEntries'),
        bytesMax: config.number('journalSize'),
      },
    )
    await journal.settle()
    const opened = trash
    let timer: Timer | undefined
    return {
      root,
      storage,
      journal,
      trash: opened,
      undo: new Undo({ root, rows: rows.journal, kept: rows.kept, trash: opened }),
      watch: () => {
        const look = async () => {
          await journal.settle()
          await journal.forget()
          await opened.prune()
        }
        timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
        timer.unref()
      },
      close: () => {
        clearInterval(timer)
        opened.close()
        storage.close()
      },
    }
  } catch (error) {
    storage.close()
    throw error
  }
}

/** @throws Fault notFound, notDirectory */
export function servedFolder(named: string): string {
  const path = resolve(named)
  if (!existsSync(path)) throw new Fault('notFound', `There is no folder ${path}.`)
  if (!statSync(path).isDirectory())
    throw new Fault('notDirectory', `${path} is a file; name a folder to serve.`)
  return realpathSync(path)
}

async function openStorage(
  root: string,
  config: Config,
  room: Pick<LocalOptions, 'makeRoom' | 'reclaimable' | 'flushes'>,
): Promise<LocalStorage> {
  try {
    return await LocalStorage.open(root, {
      fileMode: config.number('fileMode'),
      folderMode: config.number('dirMode'),
      own: reservedPaths(config),
      ...room,
    })
  } catch (error) {
    if (error instanceof Fault && error.code === 'forbidden') {
      throw new Fault(
        'forbidden',
        `The folder ${root} cannot be read. Give this user the right to, or name another folder.`,
        { cause: error },
      )
    }
    throw error
  }
}
