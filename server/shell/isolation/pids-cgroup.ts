/**
 * Limits the number of processes of root, to which RLIMIT_NPROC does not apply (setrlimit(2)), by a cgroup with the
 * `pids` controller, version 1 or 2 (cgroups(7)).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NAME = /^filemgr-(\d+)-/
/** A cgroup can be removed only after the kernel has released its last process. */
const REMOVE_TRIES = 50
const REMOVE_EVERY_MS = 20

/**
 * Finds a cgroup in which this process may create others, and removes from it those of servers that were killed.
 *
 * @returns undefined if there is none
 */
export function findParentCgroup(): string | undefined {
  const parent = parents().find(canCreateIn)
  if (parent !== undefined) removeStale(parent)
  return parent
}

/** A name for a cgroup of this server. */
export function groupName(parent: string, id: string): string {
  return join(parent, `filemgr-${process.pid}-${id}`)
}

/**
 * Creates a cgroup and enters it.
 *
 * @param tasksMax maximum number of processes and threads
 * @throws Error if that is not permitted
 */
export function enterGroup(group: string, tasksMax: number): void {
  mkdirSync(group)
  writeFileSync(join(group, 'pids.max'), String(tasksMax))
  writeFileSync(join(group, 'cgroup.procs'), '0')
}

/** Removes a cgroup after its processes have ended; gives up after a second. */
export async function removeGroup(group: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES && !remove(group); tries += 1) {
    await Bun.sleep(REMOVE_EVERY_MS)
  }
}

/**
 * The current cgroup, and in version 2 also its parent: a cgroup with processes cannot give its children controllers
 * (cgroups(7)).
 */
function parents(): string[] {
  try {
    const cgroups = readFileSync('/proc/self/cgroup', 'latin1').split('\n')
    const mounts = readFileSync('/proc/self/mountinfo', 'latin1').split('\n').map(mountOf)
    return cgroups.flatMap((line) => {
      const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
      const type = controllers === '' ? 'cgroup2' : 'cgroup'
      if (type === 'cgroup' && !controllers.split(',').includes('pids')) return []
      const mount = mounts.find(
        (candidate) =>
          candidate?.type === type && (type === 'cgroup2' || candidate.options.includes('pids')),
      )
      if (!mount) return []
      const below = path.startsWith(mount.root) ? path.slice(mount.root.length) : path
      const folder = join(mount.mountPoint, below)
      return type === 'cgroup' || folder === mount.mountPoint ? [folder] : [folder, dirname(folder)]
    })
  } catch {
    return []
  }
}

interface Mount {
  root: string
  mountPoint: string
  type: string
  options: string[]
}

function mountOf(line: string): Mount | undefined {
  const [before = '', after] = line.split(' - ')
  if (after === undefined) return undefined
  const [, , , root = '/', mountPoint = ''] = before.split(' ')
  const [type = '', , options = ''] = after.split(' ')
  return { root: root === '/' ? '' : root, mountPoint, type, options: options.split(',') }
}

/** Whether this process may create cgroups in `parent`, and they limit processes. */
function canCreateIn(parent: string): boolean {
  const testGroup = groupName(parent, 'try')
  try {
    mkdirSync(testGroup)
    try {
      return existsSync(join(testGroup, 'pids.max'))
    } finally {
      rmdirSync(testGroup)
    }
  } catch {
    return false
  }
}

/** Removes the cgroups of servers that have ended. */
function removeStale(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, server] = NAME.exec(name) ?? []
    if (server && !existsSync(`/proc/${server}`)) remove(join(parent, name))
  }
}

/** @returns false if the cgroup still has processes */
function remove(group: string): boolean {
  try {
    rmdirSync(group)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'EBUSY'
  }
}
