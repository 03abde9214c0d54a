/** The paths of the server's own files, which no user may reach through the served folder. */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { slashed } from '#server/os/slashed.ts'
import type { Config } from './config.ts'
import { oldDatabases } from './filebrowser-database.ts'

/** The endings of a database, of the files that SQLite creates beside it, and of the reserve of space. */
const DATABASE_ENDINGS = ['', '-wal', '-shm', '-journal', '-reserve']
/** Rotated logs: `.1` to `.10`. */
const OLDER_LOGS = 10
const NO_FILE = ['', 'off', 'stdout', 'stderr']

/** The files with secrets: password hashes and keys. Links are resolved; a file may be missing. */
export function secretFiles(config: Config): string[] {
  const { database } = config.paths
  const own = database.kind === 'file' ? filesOf(database.path) : database.passwordFiles
  return resolved([...own, ...oldDatabases(config), config.file ?? '', config.text('key')])
}

function filesOf(database: string): string[] {
  return [...DATABASE_ENDINGS.map((ending) => database + ending), ...copiesOf(database)]
}

/**
 * All files and folders of the server: secrets, configuration (also at paths without a file yet), its program, and
 * the sign-in program.
 */
export function reservedPaths(config: Config): { files: string[]; folders: string[] } {
  const log = config.text('log')
  const older = Array.from({ length: OLDER_LOGS }, (_, index) => `${log}.${index + 1}`)
  const logs = NO_FILE.includes(log) ? [] : [log, ...older]
  // For an interpreter, the script is one of the arguments.
  const programs = [process.execPath, ...config.text('auth.command').split(' ')]
  const files = [
    config.text('cert'),
    config.text('socket'),
    ...config.paths.configFiles,
    ...logs,
    ...programs.filter((word) => word.includes('/') || (word !== '' && existsSync(word))),
  ]
  const addons = join(tmpdir(), `filemgr-${process.getuid?.() ?? 'cache'}`)
  return {
    files: [...secretFiles(config), ...resolved(files)],
    folders: resolved([config.paths.previews, config.paths.cache, addons]),
  }
}

/** The copies beside a database that upgrades, imports and restores have made: `filemgr.db.version-3`. */
function copiesOf(path: string): string[] {
  const folder = dirname(path)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.startsWith(`${basename(path)}.`))
    .map((name) => join(folder, name))
}

function resolved(paths: readonly string[]): string[] {
  return paths.filter((path) => path !== '').map((path) => slashed(realPathOf(resolve(path))))
}

/** Resolves links as far as the path exists. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const folder = dirname(path)
  return folder === path ? path : join(realPathOf(folder), basename(path))
}
