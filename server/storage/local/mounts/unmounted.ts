/** Mount points of disks that are not mounted now: what is stored there goes to another disk, and is hidden by the next mount. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOfBytes } from '#wire/names.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { TRASH_RECORDS } from '../trash/trash-location.ts'
import { allMounts, isAtOrBelow, unescapeOctal } from './mounts.ts'

const TABLE = '/etc/fstab'

/**
 * Disks of the system's table (fstab(5)) that is to be mounted at each start, and those on which a served folder keeps a
 * trash. Nothing is touched but the table and the private folder.
 *
 * @param root the real path of a served folder
 * @returns mount points at, above or below it on which nothing is mounted
 */
export function unmountedIn(root: string): string[] {
  if (process.platform !== 'linux') return []
  const expected = [...pointsInTable(), ...pointsOfTrashes(root)]
  const mounted = new Set(allMounts().map(({ mountPoint }) => mountPoint))
  const concerned = expected.filter((path) => isAtOrBelow(path, root) || isAtOrBelow(root, path))
  return [...new Set(concerned)].filter((path) => !mounted.has(path)).sort()
}

function pointsInTable(): string[] {
  return linesOf(TABLE)
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , options = '']) => !options.split(',').includes('noauto'))
    .flatMap(([, point = '']) => (point.startsWith('/') ? [unescapeOctal(point)] : []))
    .map((point) => point.replace(/(?<=.)\/+$/, ''))
}

function pointsOfTrashes(root: string): string[] {
  const records = join(root, PRIVATE_FOLDER, TRASH_RECORDS)
  return namesIn(records).flatMap((name) => {
    const [path = ''] = linesOf(join(records, name))
    return path === '' ? [] : [join(root, path)]
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** @returns nothing for a file that cannot be read */
function linesOf(path: string): string[] {
  try {
    return nameOfBytes(readFileSync(path)).split('\n')
  } catch {
    return []
  }
}
