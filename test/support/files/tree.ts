/** Problematic file names, temporary folders, and the files below a folder. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each of them has broken a file manager. */
export const NASTY_NAMES = [
  'a#b',
  'a%23b',
  '100%.txt',
  'a b+c&d=e?.txt',
  'it\'s "quoted".txt',
  'back\\slash.txt',
  'new\nline.txt',
  '-rf',
  ' leading and trailing ',
  '%2e%2e',
  '..%2f..',
  '...',
  '~',
  '😀.bin',
  'caf\u00e9.txt',
  'cafe\u0301.txt',
  'صور الرحلة.txt',
  '\u202egnp.exe',
  'semi;colon,comma.txt',
  '<b>bold&amp;.html',
  'CON.txt',
  'n'.repeat(255),
  'ü'.repeat(127),
] as const

/** The number of files below a folder, also while the server removes folders from it; 0 if there is no such folder. */
export function countFiles(path: string): number {
  try {
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).length
  } catch {
    return existsSync(path) ? countFiles(path) : 0
  }
}

/** The temporary folders that are not removed yet. */
const temporaryFolders = new Set<string>()

/**
 * A new folder for one test.
 *
 * @param above the folder in which it is created
 */
export function temporaryFolder(
  name = 'filemgr-test-',
  above = tmpdir(),
): { path: string; remove(): void } {
  const path = mkdtempSync(join(above, name))
  temporaryFolders.add(path)
  return { path, remove: () => removeFolder(path) }
}

/** Removes all of them, before this process ends. */
export function removeTemporaryFolders(): void {
  for (const path of temporaryFolders) removeFolder(path)
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
  temporaryFolders.delete(path)
}
