/** Reads system accounts (passwd(5)), because Bun's `userInfo` does not return their names. */
import { readFileSync } from 'node:fs'

/** @returns the text of `/etc/passwd`; empty if it cannot be read */
export function readAccounts(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}

/** @returns the name of the system account that runs this process; its number if it has no name, as in some containers */
export function ownAccountName(): string {
  const id = String(process.getuid?.() ?? '')
  const lines = readAccounts().split('\n')
  return lines.find((line) => line.split(':')[2] === id)?.split(':')[0] ?? id
}
