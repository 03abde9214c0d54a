/** What the storage offers because other processes may use the same folder. */

import { hasOpen } from '#server/os/lock-owner.ts'
import type { FolderSharing } from '#server/storage/storage.ts'
import { isFull } from '../attributes/own-folder.ts'
import { withFaults } from '../handles/faults.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Owner } from '../private/processes.ts'
import type { Volumes } from '../volumes/volumes.ts'

/** Callers within this time share one result, so that frequent checks cause no writes. */
const RESULT_LASTS_MS = 1000

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
