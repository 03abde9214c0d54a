/** renameat2(2): a rename that replaces nothing, and one that exchanges two names. */
import { call, cName } from './libc.ts'

const RENAME_NOREPLACE = 1
const RENAME_EXCHANGE = 2

/** A name in an open folder: its descriptor, and the name. */
export type NameIn = readonly [folder: number, name: string]

/**
 * renameat2(2) with RENAME_NOREPLACE: EEXIST when the new name is taken, without a gap in which
 * somebody else could take it.
 *
 * @throws SystemError; ENOSYS or EINVAL where the kernel or the file system lacks it.
 */
export function renameNoReplace(from: NameIn, to: NameIn): void {
  renameWith(RENAME_NOREPLACE, from, to)
}

/**
 * renameat2(2) with RENAME_EXCHANGE: both names stay, and what they stand for is exchanged in one step.
 *
 * @throws SystemError; ENOENT when one of them is gone, ENOSYS or EINVAL where the kernel or the file
 *   system lacks it.
 */
export function renameExchange(one: NameIn, other: NameIn): void {
  renameWith(RENAME_EXCHANGE, one, other)
}

function renameWith(flags: number, from: NameIn, to: NameIn): void {
  const [fromFolder, fromName] = from
  const [toFolder, toName] = to
  call('renameat2', fromFolder, cName(fromName), toFolder, cName(toName), flags)
}
