/**
 * Loads the native files of sharp and the codecs from inside the executable.
 *
 * The dynamic linker needs files on a disk, so they are unpacked once into a private cache folder, and verified each
 * time before they are loaded. The build replaces the packages' own loaders by this one (`scripts/sharp-plugin.ts`,
 * `scripts/codec-plugin.ts`); it is not used when running from source.
 */
import { createHash, randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rmSync } from '#server/os/remove.ts'
import { userFolders } from '#server/os/user-folders.ts'

export interface NativeFile {
  /** The relative path that the addon expects, for example to find libvips. */
  path: string
  /** The path of the embedded bytes. */
  embedded: string
  sha256: string
}

/**
 * Unpacks the files if needed and loads the first of them, the addon.
 *
 * @returns the addon's exports
 * @throws Error if no folder can hold them or they cannot be loaded from there (`noexec`)
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

/** Folders to try in order. The second is for system accounts without a home folder. */
function cacheFolders(): string[] {
  return [
    userFolders(process.env).cache,
    join(tmpdir(), `filemgr-${process.getuid?.() ?? 'cache'}`),
  ]
}

/** @returns the folder with all files, verified and writable by this system account only */
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

/** Moves the staged folder into place, unless another process was faster; a damaged one is replaced. */
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

/** @throws Error if others can write to the folder, since they could run code in this process */
function assertPrivate(folder: string): void {
  const stats = lstatSync(folder)
  // Windows has neither user ids nor modes: there, the folder inherits the rights of the home folder.
  const account = process.getuid?.()
  const isPrivate = account === undefined || (stats.uid === account && (stats.mode & 0o022) === 0)
  if (!isPrivate || !stats.isDirectory()) {
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

/** A name that differs for other files. */
function contentName(files: NativeFile[]): string {
  const all = files.map(({ sha256 }) => sha256).join()
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}
