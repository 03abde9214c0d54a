/** What the storage offers because other processes may use the same folder. */

import { sharesLocks } from '#server/os/local-file-system.ts'
import { hasOpen } from '#server/os/lock-owner.ts'
import type { NamesMade, Promised } from '#server/storage/probe.ts'
import type { FolderSharing } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { isFull, openOwnFolder } from '../attributes/own-folder.ts'
import { withFaults } from '../handles/faults.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Owner } from '../private/processes.ts'
import { makeNames } from '../probe/names-made.ts'
import { lacksIn } from '../probe/probe.ts'
import type { Volumes } from '../volumes/volumes.ts'

/** Callers within this time share one result, so that frequent checks cause no writes. */
const RESULT_LASTS_MS = 1000
/** Two names as of `randomName`. */
const MEETING = /^([0-9a-f]{24})\/([0-9a-f]{24})$/

export function folderSharingOf(volumes: Volumes): FolderSharing {
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let result = Promise.resolve()
  return {
    listen(log, database) {
      volumes.processes.listen(log)
      for (const other of volumes.home.others()) {
        log(
          `Another filemgr process uses this folder at the same time: ${nameOf(other)}. ${whatTheyShare(other, database)}`,
        )
      }
    },
    clearLeftovers: () =>
      withFaults(async () => {
        const { uploads } = volumes
        if (uploads) await volumes.home.clear(uploads, { isStart: false })
      }),
    checkStaging() {
      const nowMs = performance.now()
      if (nowMs - checkedAtMs < RESULT_LASTS_MS) return result
      checkedAtMs = nowMs
      result = withFaults(() => stageAndRemove(volumes))
      return result
    },
    isOnOneMachine: () => withFaults(() => sharesLocks(volumes.home.staged().parent.disk)),
    lacks: () => withFaults(() => lacksOn(volumes)),
    openMeeting: () =>
      withFaults(() => {
        const { parent, name } = volumes.home.staged()
        openOwnFolder(parent, name).close()
        return `${volumes.home.ownName}/${name}`
      }),
    makeNames: (meeting, side) => withFaults(() => makeNamesAt(volumes, meeting, side)),
    closeMeeting: (meeting) =>
      withFaults(async () => {
        const [, name] = partsOf(meeting)
        await fileCalls.rm(volumes.home.staged().parent.at(name), { recursive: true, force: true })
      }),
  }
}

function nameOf({ pid, host }: Owner): string {
  return pid === undefined ? 'one whose number is not known' : `process ${pid} of ${host}`
}

function whatTheyShare({ pid, isNear }: Owner, database: string | undefined): string {
  const isKnown = pid !== undefined && isNear && database !== undefined
  const isSame = isKnown ? hasOpen(pid, database) : undefined
  if (isSame === undefined)
    return 'They share users, trash and unfinished uploads only if they use one database.'
  return isSame
    ? 'It uses the same database, so they share users, trash and unfinished uploads.'
    : 'It uses another database, so they share no users, trash or unfinished uploads.'
}

async function stageAndRemove(volumes: Volumes): Promise<void> {
  try {
    const { parent, name } = volumes.home.staged()
    await fileCalls.writeFile(parent.at(name), '', { flag: 'wx', mode: 0o600 })
    await fileCalls.unlink(parent.at(name))
  } catch (error) {
    if (!isFull(error)) throw error
  }
}

async function lacksOn(volumes: Volumes): Promise<Promised[] | undefined> {
  try {
    const { parent, name } = volumes.home.staged()
    return await lacksIn(parent, name)
  } catch (error) {
    if (!isFull(error)) throw error
    return undefined
  }
}

async function makeNamesAt(volumes: Volumes, meeting: string, side: string): Promise<NamesMade> {
  using folder = volumes.home.openStaged(...partsOf(meeting))
  return await makeNames(folder, side)
}

/** @throws Fault badRequest */
function partsOf(meeting: string): [owner: string, name: string] {
  const [, owner, name] = MEETING.exec(meeting) ?? []
  if (!owner || !name) throw new Fault('badRequest', 'No server has named this folder.')
  return [owner, name]
}
