/** Converts errors of the operating system to reasons in plain words, for messages to the operator. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The reason as a clause, such as `the folder /srv does not exist`.
 *
 * @param error an error of the system, or anything else
 * @returns undefined if it is not an error of the system
 */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined
  const { code } = error
  const path = 'path' in error ? String(error.path) : undefined
  if (code === 'ENOENT' && path !== undefined) return whatIsMissing(path)
  if (code === 'EEXIST' && path !== undefined) return `${path} is not a folder`
  return REASONS[String(code)] ?? error.message
}

const REASONS: Partial<Record<string, string>> = {
  EACCES: 'this account does not have permission',
  EADDRINUSE: 'another program uses this address',
  EADDRNOTAVAIL: 'this machine does not have this address',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ELOOP: 'there are too many levels of symbolic links',
  ENAMETOOLONG: 'the path is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'there is no space left on the disk',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EPERM: 'this account does not have permission',
  EROFS: 'the file system is read-only',
}

function whatIsMissing(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? 'it does not exist' : `the folder ${folder} does not exist`
}
