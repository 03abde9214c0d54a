/**
 * Loads native files, sharp's and the codecs', from inside the executable.
 *
 * The dynamic linker wants files on a disk, so they are unpacked once into a private cache folder,
 * verified each time before they are loaded. The build puts this in place of the packages' own
 * loaders (`scripts/sharp-plugin.ts`, `scripts/codec-plugin.ts`); a run from source never comes here.
 */
import { createHash, randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface NativeFile {
  /** Where it must lie, relative to the others: the addon finds libvips by this. */
  path: string
  /** The path of the embedded bytes. */
  embedded: string
  sha256: string
}

/**
 * Unpacks the files where needed and loads the first of them, the addon.
 *
 * @returns the addon's exports.
 * @throws Error when no folder can hold them or none lets them be loaded (`noexec`).
 */
export function loadAddon(files: [addon: NativeFile, ...NativeFile[]]): unknown {
  const failures: unknown[] = []
  for (const cache of cacheFolders()) {
    try {
      const folder = unpack(files, cache)
      const loaded = { exports: {} }
      process.dlopen(loaded, join(folder, files[0].path))
      return loaded.exports
    } catch (error) {
      failures.push(error)
    }
  }
  throw new AggregateError(failures, 'A native part cannot be loaded.')
}

/** Folders to try, best first. The second serves an account without a home. */
function cacheFolders(): string[] {
  const home = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return [join(home, 'filemgr'), join(tmpdir(), `filemgr-${process.getuid?.() ?? 'cache'}`)]
}

/** @returns the folder that holds every file, whole and written by nobody else. */
function unpack(files: NativeFile[], cache: string): string {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  assertPrivate(cache)

  const folder = join(cache, `native-${contentName(files)}`)
  if (isIntact(folder, files)) return folder

  const staging = join(cache, `.${randomUUID()}`)
  try {
    for (const { path, embedded } of files) {
      const target = join(staging, path)
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      writeFileSync(target, readFileSync(embedded), { mode: 0o500, flag: 'wx', flush: true })
    }
    publish(staging, folder, files)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  return folder
}

/** Moves the staged folder into place, unless another process was faster; a damaged one gives way. */
function publish(staging: string, folder: string, files: NativeFile[]): void {
  try {
    renameSync(staging, folder)
  } catch (error) {
    if (isIntact(folder, files)) return
    rmSync(folder, { recursive: true, force: true })
    renameSync(staging, folder)
    if (!isIntact(folder, files)) throw error
  }
}

/** Whoever could write here could have the process run their code. */
function assertPrivate(folder: string): void {
  const { uid, mode } = lstatSync(folder)
  const own = process.getuid === undefined || uid === process.getuid()
  if (!own || (mode & 0o022) !== 0 || !lstatSync(folder).isDirectory()) {
    throw new Error(`${folder} is not a folder that only this account can write.`)
  }
}

function isIntact(folder: string, files: NativeFile[]): boolean {
  try {
    return files.every(({ path, sha256 }) => {
      const bytes = readFileSync(join(folder, path))
      return createHash('sha256').update(bytes).digest('hex') === sha256
    })
  } catch {
    return false
  }
}

function contentName(files: NativeFile[]): string {
  const all = files.map(({ sha256 }) => sha256).join()
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}
