/** Checks the owners, permissions and free space of folders and files. */
import { accessSync, constants, existsSync, realpathSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { reservedPaths } from '#server/config/reserved-paths.ts'
import { slashed } from '#server/os/slashed.ts'
import { databaseFindings } from './database-checks.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { HAS_MODES, privateFindings, statsOf } from './private-files.ts'

/** The minimum free space, in bytes and as a fraction of the disk. Less than either gives a warning. */
const FREE_BYTES_MIN = 1024 ** 3
const FREE_FRACTION_MIN = 0.05
/** Permission bits: others may write. */
const OTHERS_WRITE = 0o002

export function pathFindings(config: Config): Finding[] {
  const root = resolve(config.text('root'))
  return [
    ...rootFindings(root),
    ...databaseFindings(config.paths.database),
    ...privateFindings('The folder for previews', config.paths.previews),
    ...insideFindings(root, reservedPaths(config)),
  ]
}

/** The server's own files inside the served folder are protected, but are better kept elsewhere. */
function insideFindings(
  root: string,
  { files, folders }: { files: string[]; folders: string[] },
): Finding[] {
  const realRoot = slashed(existsSync(root) ? realpathSync.native(root) : root)
  const inside = [...files, ...folders].filter(
    (path) => path.startsWith(realRoot === '/' ? realRoot : `${realRoot}/`) && existsSync(path),
  )
  return inside.map((path) =>
    warning(
      `${path} belongs to the server and is in the served folder.`,
      'filemgr hides and protects it there. Other programs that share this folder do not: move it elsewhere.',
    ),
  )
}

function rootFindings(root: string): Finding[] {
  const stats = statsOf(root)
  if (!stats?.isDirectory()) {
    return [problem(`There is no folder ${root}.`, 'Name an existing folder with --root.')]
  }
  const findings: Finding[] = []
  if (!canAccess(root, constants.R_OK | constants.X_OK)) {
    findings.push(problem(`${root} cannot be read.`, 'Give this account the right to read it.'))
  } else if (!canAccess(root, constants.W_OK)) {
    findings.push(
      warning(
        `${root} cannot be written, so it is served read-only.`,
        'To allow uploads, give this account the right to write there.',
      ),
    )
  } else {
    findings.push(ok(`${root} can be read and written.`))
  }
  if (HAS_MODES && (stats.mode & OTHERS_WRITE) !== 0) {
    findings.push(
      warning(`Every account of this machine may write to ${root}.`, `chmod o-w ${root}`),
    )
  }
  return [...findings, freeSpaceIn(root)]
}

function freeSpaceIn(folder: string): Finding {
  const { bavail, bsize, blocks } = statfsSync(folder)
  const free = bavail * bsize
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB are free in ${folder}.`
  const isLow = free < FREE_BYTES_MIN || bavail / blocks < FREE_FRACTION_MIN
  return isLow ? warning(message, 'Free some space, or uploads will be refused soon.') : ok(message)
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
