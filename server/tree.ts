/** The served tree with its journal and trash, for the server and the command line. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import type { JournalRows } from '#server/db/rows/journal.ts'
import type { TrashRows } from '#server/db/rows/trash.ts'
import { RecoveryCounts } from '#server/lib/recovery-counts.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { UPLOADS_FOLDER } from '#server/storage/local/handles/private-name.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { LocalOptions } from '#server/storage/local/operations/served-folder.ts'
import { ResponsiveStorage } from '#server/storage/local/responsive/responsive.ts'
import type { Reserve } from '#server/storage/local/room/disk-reserve.ts'
import {
  folderOpenerOf,
  type StorageKind,
  storageKindOf,
} from '#server/storage/portable/choose-storage.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import type { PathListener } from './access/file-events.ts'
import { Cluster } from './cluster/cluster.ts'
import { type Peers, untraceable } from './cluster/peers.ts'
import type { Config } from './config/config.ts'
import { reservedPaths } from './config/reserved-paths.ts'
import type { RootRows } from './db/roots.ts'
import type { FlushQueue } from './flush/flush-queue.ts'
import { Journal } from './journal/journal.ts'
import { operatorScope } from './journal/operator.ts'
import { Trash } from './journal/trash.ts'
import { Undo } from './journal/undo.ts'
import { UserTrash } from './journal/user-trash.ts'
import {
  adoptRoot,
  noteDatabase,
  noteRootObject,
  requireOwnDatabase,
  requireServedRoot,
  requireStillThere,
} from './served-root.ts'
import { requireShareable, type SharedRootNotice } from './shared-root.ts'
import type { TrashId } from './storage/step.ts'
import type { Storage } from './storage/storage.ts'

export interface Tree {
  /** The path of the served folder on the disk. */
  root: string
  /** Whether the folder was served at another path before, and has brought its trash and journal along. */
  isMoved: boolean
  storage: ResponsiveStorage
  /** The processes that use the folder and the database. */
  peers: Peers
  /** What the file system lacks for several servers, if the database can have several. */
  sharedRootNotices: SharedRootNotice[]
  /** How files are opened. */
  storageKind: StorageKind
  journal: Journal
  trash: Trash
  /** The folders in which nothing is kept in the trash; the root if nothing is kept anywhere. */
  keepsNothingIn: readonly TreePath[]
  undo: Undo
  userTrash: UserTrash
  /** What was left unfinished and has been recovered. */
  recovered: RecoveryCounts
  /**
   * Runs the periodic maintenance of journal and trash while it is open.
   *
   * @param also more work at these times
   */
  watch(also: () => Promise<void>): void
  /** Completes or reverses what this process could not finish, and what processes have left that ended since it started. */
  takeOver(): Promise<void>
  /** @throws AbsentRoot if the served folder is not at its path any more; system errors */
  requireStillThere(): void
  close(): void
}

export interface TreeDeps {
  rows: { journal: JournalRows; trash: TrashRows; roots: RootRows }
  flushes: FlushQueue
  /** The other processes with the database; absent if it is not shared. */
  cluster?: Cluster
  /** Whether this is a server, and not a command. */
  isServing?: boolean
  /** What new content leaves free on the disks. */
  reserve?: Reserve & { release(): boolean }
  /** The time for the age of what is deleted by its age; the time of day by default. */
  seenTime?: { nowMs(): number }
  /** The shares, whose paths follow renames and which are removed with their files. */
  shares: PathListener
}

const MAINTENANCE_EVERY_MS = 10 * 60_000
/** How long a start waits for the recovery on further disks. */
const RECOVERY_WAIT_MS = 5000

/**
 * Opens the served folder, and completes or reverses changes that a killed process left incomplete.
 *
 * @throws Fault with a message for the operator: root missing or unreadable; AbsentRoot
 */
export async function openTree(
  root: string,
  config: Config,
  { seenTime = { nowMs: Date.now }, ...deps }: TreeDeps,
): Promise<Tree> {
  const { rows } = deps
  const nowMs = () => seenTime.nowMs()
  if (!config.flag('newRoot')) {
    await requireServedRoot(root, rows.roots)
    await requireOwnDatabase(root, rows.roots)
  }
  using opened = new DisposableStack()
  // The trash makes room for the storage, and is opened with it.
  let opening: Trash | undefined
  const recovered = new RecoveryCounts()
  opened.defer(() => recovered.close())
  const storage = await openStorage(root, config, {
    makeRoom: async (full, userId) => (await opening?.room.makeRoom(full, userId)) ?? false,
    reclaimable: async (folder, userId) => (await opening?.room.reclaimable(folder, userId)) ?? 0,
    flushes: deps.flushes,
    recovered: (kind, count) => recovered.add(kind, count),
    ...(deps.reserve && { reserve: deps.reserve }),
  })
  opened.defer(() => storage.close())
  const { cluster = new Cluster(), isServing = false } = deps
  const isServed = (path: string) => cluster.isServed(path)
  const { identity, isMoved } = await identify(root, storage, rows.roots, isServed)
  await noteDatabase(root, identity, rows.roots)
  const keepsNothingIn = foldersWithoutTrash(config, storage)
  const trash = createTrash(root, config, storage, { ...deps, nowMs, keepsNothingIn })
  opening = trash
  const { sharing } = storage.can
  const folder = storage.can.trash ?? untraceable()
  const peers = await cluster.join(folder, { root, isServing, meetings: sharing })
  const isTried = cluster.isShared && isServing && sharing
  const sharedRootNotices = isTried ? await requireShareable(root, { sharing, peers }) : []
  const journal = createJournal(root, config, storage, {
    ...deps,
    nowMs,
    trash,
    recovered,
    peers,
  })
  const undo = createUndo(root, storage, { ...deps, journal, trash, recovered })
  const parts = { storage, journal, undo, peers }
  await startWithin(recover(parts), storage)
  // A disk that answers again tells what has become of the changes that were running there.
  storage.listen(() => void recover(parts).catch(() => undefined))
  opened.defer(() => trash.close())
  const closing = opened.move()
  return {
    root,
    isMoved,
    storage,
    peers,
    sharedRootNotices,
    storageKind: storageKind(config),
    journal,
    trash,
    keepsNothingIn,
    undo,
    recovered,
    userTrash: new UserTrash({ root, trashRows: rows.trash, trash }),
    watch: (also) => {
      trash.scheduleCheck()
      const timer = startMaintenance({ ...parts, trash }, also)
      closing.defer(() => clearInterval(timer))
    },
    async takeOver() {
      await storage.can.sharing?.clearLeftovers()
      const ofOthers = await peers.isMaintainer()
      if (await journal.takeOver({ ofOthers })) await undo.rollBack().catch(() => undefined)
    },
    requireStillThere: () => requireStillThere(root, identity),
    close: () => closing.dispose(),
  }
}

function createUndo(
  root: string,
  storage: ResponsiveStorage,
  {
    rows,
    shares,
    journal,
    trash,
    recovered,
  }: Pick<TreeDeps, 'rows' | 'shares'> & Pick<Tree, 'journal' | 'trash' | 'recovered'>,
): Undo {
  return new Undo({
    root,
    rows: rows.journal,
    trashRows: rows.trash,
    trash,
    journal,
    recovered: () => recovered.add('undos'),
    repairScope: (folder) => operatorScope(storage, journal, shares, folder),
  })
}

async function openStorage(
  root: string,
  config: Config,
  room: Pick<LocalOptions, 'makeRoom' | 'reclaimable' | 'flushes' | 'reserve' | 'recovered'>,
): Promise<ResponsiveStorage> {
  try {
    const local = await LocalStorage.open(root, {
      openFolder: folderOpenerOf(storageKind(config)),
      fileMode: config.number('fileMode'),
      folderMode: config.number('dirMode'),
      ownPaths: reservedPaths(config),
      leavesOtherDisks: true,
      ...room,
    })
    return ResponsiveStorage.of(local)
  } catch (error) {
    if (error instanceof Fault && error.code === 'forbidden') {
      throw new Fault(
        'forbidden',
        `The folder ${root} cannot be read. Give this user the right to read it, or name another folder.`,
        { cause: error },
      )
    }
    throw error
  }
}

/** Finds out which folder was opened, and gives a copy of another one its own identity. */
async function identify(
  root: string,
  storage: Storage,
  rows: RootRows,
  isServed: (path: string) => Promise<boolean>,
): Promise<{ identity: string | undefined; isMoved: boolean }> {
  const identity = storage.can.trash?.identity(false)
  const origin = await adoptRoot(root, identity, rows, isServed)
  await noteRootObject(root, identity, rows)
  if (origin !== 'copy') return { identity, isMoved: origin === 'moved' }
  const renewed = storage.can.trash?.identity(true)
  await adoptRoot(root, renewed, rows, isServed)
  await noteRootObject(root, renewed, rows)
  return { identity: renewed, isMoved: false }
}

/** The folders in which nothing is kept in the trash; the root if nothing is kept anywhere. */
function foldersWithoutTrash(config: Config, storage: Storage): TreePath[] {
  if (!config.flag('trash') || !storage.can.trash) return [ROOT]
  return config.args('trashExcept').map((folder) => parsePath(folder))
}

type PartDeps = Omit<TreeDeps, 'seenTime'> & { nowMs(): number }

function createTrash(
  root: string,
  config: Config,
  storage: Storage,
  { rows, nowMs, keepsNothingIn }: PartDeps & Pick<Tree, 'keepsNothingIn'>,
): Trash {
  const store = storage.can.trash
  const usage = (folder: TrashId) => (store ? store.usage(folder) : storage.usage(ROOT))
  return new Trash(rows.trash, store, usage, {
    root,
    isOn: config.flag('trash'),
    excluded: keepsNothingIn,
    keepMs: config.number('trashDays') * DAY_MS,
    sharePercent: config.number('trashShare'),
    versionsMax: config.number('trashVersions'),
    itemsMax: SERVER_LIMITS.trashItemsMax,
    nowMs,
  })
}

function createJournal(
  root: string,
  config: Config,
  storage: Storage,
  {
    rows,
    shares,
    reserve,
    nowMs,
    trash,
    recovered,
    peers,
  }: PartDeps & Pick<Tree, 'trash' | 'recovered' | 'peers'>,
): Journal {
  const recorded = storage.within(ROOT, { followsLinks: false })
  return new Journal(
    {
      rows: rows.journal,
      trashRows: rows.trash,
      store: recorded.can.trash,
      peers,
      trash,
      recovered: (outcome) => recovered.add(outcome),
      release: reserve && (() => reserve.release()),
      sharesAt: async (path) => (await shares.sharesBelow?.(path)) ?? '',
    },
    {
      root,
      keepMs: config.number('journalDays') * DAY_MS,
      entriesMax: config.number('journalEntries'),
      bytesMax: config.number('journalSize'),
      nowMs,
    },
  )
}

type RecoveredParts = Pick<Tree, 'storage' | 'journal' | 'undo' | 'peers'>

/** Completes or reverses the changes that ended processes, or disks that did not answer, have left. */
async function recover({ storage, journal, undo, peers }: RecoveredParts): Promise<void> {
  await storage.clearOtherDisks()
  if (!(await peers.isMaintainer())) return
  await journal.recover()
  // The rollback fails if a folder is not at its path, or content is on a file system that is not mounted. The next
  // maintenance tries it again.
  await undo.rollBack().catch(() => undefined)
}

/** Waits for the recovery at a start. One on a further disk that does not respond goes on while the server serves. */
async function startWithin(recovered: Promise<void>, storage: ResponsiveStorage): Promise<void> {
  if (storage.states().length === 1) return recovered
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, RECOVERY_WAIT_MS)
  // A command ends without waiting for the timer.
  await Promise.race([recovered, late.promise]).finally(() => clearTimeout(timer))
}

/** @param also more work at these times */
function startMaintenance(
  tree: RecoveredParts & Pick<Tree, 'trash'>,
  also: () => Promise<void>,
): Timer {
  const { storage, journal, trash, peers } = tree
  const maintain = async () => {
    await also()
    await storage.can.sharing?.clearLeftovers()
    await recover(tree)
    if (!(await peers.isMaintainer())) return
    await journal.deleteOldEntries()
    await trash.measureAgain()
    await trash.prune()
  }
  // A failure is ignored, since the next maintenance does the same work.
  const timer = setInterval(() => void maintain().catch(() => undefined), MAINTENANCE_EVERY_MS)
  timer.unref()
  return timer
}

/** How files are opened, with this configuration on this system. @throws Fault unsupported */
export function storageKind(config: Config): StorageKind {
  return storageKindOf(config.text('storage'))
}

/** @returns the path of the staged bytes of an upload; the served folder need not be there */
export function stagedFileOf({ root, id }: { root: string; id: string }): string {
  return join(root, UPLOADS_FOLDER, id)
}

/**
 * @param named a path as the operator wrote it
 * @returns the real path of the folder to serve
 * @throws Fault notFound, badRequest (a file)
 */
export function servedFolder(named: string): string {
  const path = resolve(named)
  if (!existsSync(path)) throw new Fault('notFound', absentSentence(path))
  if (!statSync(path).isDirectory())
    throw new Fault('badRequest', `${path} is a file; name a folder to serve.`)
  return realpathSync.native(path)
}

/** On Windows a whole drive, or a folder of the network, can be absent; elsewhere `/` is always there. */
function absentSentence(path: string): string {
  const { root } = parse(path)
  return existsSync(root)
    ? `The folder ${path} does not exist. Create it, or name another one.`
    : `${root} is not connected. Connect the drive or the folder of the network, or name another folder.`
}

/**
 * @throws Fault unavailable if the folder does not exist any more, another one is at its path, or new files cannot be
 *   written in it
 */
export async function checkServedFolder(
  storage: Pick<Storage, 'stat' | 'can'>,
  root: string,
): Promise<void> {
  try {
    await storage.stat(ROOT)
    servedFolder(root)
  } catch (cause) {
    throw new Fault('unavailable', 'The served folder cannot be read.', { cause })
  }
  try {
    await storage.can.sharing?.checkStaging()
  } catch (cause) {
    throw new Fault('unavailable', 'New files cannot be written in the served folder.', { cause })
  }
}
