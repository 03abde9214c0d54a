/** Names that node:fs takes as what they are: one entry of a folder. */
import { SystemError } from '#server/os/errno.ts'
import { requireWindowsName } from './windows-names.ts'

/**
 * @throws SystemError EINVAL for a name that leads to another folder; Fault badRequest for one that Windows would not store
 *   as it is
 */
export function requireUsableName(name: string, platform = process.platform): void {
  const isUsable = name !== '' && name !== '.' && name !== '..' && !name.includes('\0')
  if (!isUsable || name.includes('/')) throw new SystemError('open', 'EINVAL')
  if (platform === 'win32') requireWindowsName(name)
}
