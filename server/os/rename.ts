/** renameat2(2): renames without replacing, and exchanges names. */
import { call, cName } from './libc.ts'

const RENAME_NOREPLACE = 1
const RENAME_EXCHANGE = 2

/** The descriptor of a folder, and a name in it. */
export type NameIn = readonly [folder: number, name: string]

/**
 * RENAME_NOREPLACE: fails with EEXIST if the new name is taken, without a race.
 *
 * @throws SystemError; ENOSYS or EINVAL if the kernel or the file system lacks it
 */
export function renameNoReplace(from: NameIn, to: NameIn): void {
  renameWith(RENAME_NOREPLACE, from, to)
}

/**
 * RENAME_EXCHANGE: exchanges two names in one step.
 *
 * @throws SystemError; ENOENT if one does not exist, ENOSYS or EINVAL if the kernel or the file system lacks it
 */
export function renameExchange(a: NameIn, b: NameIn): void {
  renameWith(RENAME_EXCHANGE, a, b)
}

function renameWith(flags: number, from: NameIn, to: NameIn): void {
  const [fromFolder, fromName] = from
  const [toFolder, toName] = to
  call('renameat2', fromFolder, cName(fromName), toFolder, cName(toName), flags)
}
