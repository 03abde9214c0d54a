import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Creates empty files, `Name 0.txt`, `Name 1.txt` and so on.
 *
 * @param folderOf the path of the folder of the file with this number; it is created
 */
export function createFiles(count: number, folderOf: (number: number) => string): void {
  let folder = ''
  for (let number = 0; number < count; number += 1) {
    const next = folderOf(number)
    if (next !== folder) mkdirSync(next, { recursive: true })
    folder = next
    closeSync(openSync(join(folder, `Name ${number}.txt`), 'w'))
  }
}
