/** renameat2(2): renames without replacing, and exchanges names. */
import { FFIType, ptr } from 'bun:ffi'
import { numberOf } from './call-numbers.ts'
import { SystemError } from './errno.ts'
import { cName, lastError, openLibrary } from './libc.ts'

/** The call is made for every new file, so its types are exact, which avoids conversions. */
const { i32, u32, ptr: pointer } = FFIType
const kernel = openLibrary({
  syscall: { args: [i32, i32, pointer, i32, pointer, u32], returns: i32 },
})
const SYS_RENAMEAT2 = numberOf('renameat2')

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
  if (!kernel) throw new SystemError('renameat2', 'ENOSYS')
  const [oldName, newName] = [cName(fromName), cName(toName)]
  const names = [ptr(oldName), ptr(newName)] as const
  if (kernel.syscall(SYS_RENAMEAT2, fromFolder, names[0], toFolder, names[1], flags) < 0)
    throw lastError('renameat2')
}
