/** Names that node:fs takes as what they are: one entry of a folder. */
import { SystemError } from '#server/os/errno.ts'

/** @throws SystemError EINVAL for a name that leads to another folder, or to another object than it says */
export function requireUsableName(name: string): void {
  const isUsable = name !== '' && name !== '.' && name !== '..' && !name.includes('\0')
  if (!isUsable || name.includes('/')) throw new SystemError('open', 'EINVAL')
}
