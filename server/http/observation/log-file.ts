/** A log file with rotation (docs/api.md 9.2: 100 MB, 10 older files, 14 days). */
import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { DAY_MS } from '#wire/units.ts'

const FILE_MAX_BYTES = 100 * 1024 * 1024
const OLDER_FILES = 10
const AGE_MAX_MS = 14 * DAY_MS

/**
 * @param path the current file; older ones are `path.1`, `path.2`, …
 * @param maxBytes size at which a new file is started
 * @returns a function that writes a line. While writing fails, for example on a full disk, lines are counted, and
 *   their number is written with the next one. If a full file cannot be renamed, lines are added to it, and the next
 *   attempt is made after as many bytes again.
 * @throws Error of the file system if the file cannot be created
 */
export function openLogFile(path: string, maxBytes = FILE_MAX_BYTES): (line: string) => void {
  appendFileSync(path, '', { mode: 0o640 })
  let bytes = statSync(path).size
  // The number of lines that could not be written since the last successful write.
  let lost = 0
  return (line) => {
    let text = lost > 0 ? `(${lost} lines could not be written)\n${line}` : line
    try {
      if (bytes > 0 && bytes + Buffer.byteLength(text) > maxBytes) {
        if (!rotate(path)) text = `(this full log file could not be renamed)\n${text}`
        bytes = 0
      }
      appendFileSync(path, text, { mode: 0o640 })
      bytes += Buffer.byteLength(text)
      lost = 0
    } catch {
      // A request must not fail because the log cannot be written.
      lost += 1
    }
  }
}

/** @returns false if the files cannot be renamed, for example because others own their folder */
function rotate(path: string): boolean {
  try {
    renameAll(path)
    return true
  } catch {
    return false
  }
}

function renameAll(path: string): void {
  rmSync(`${path}.${OLDER_FILES}`, { force: true })
  for (let number = OLDER_FILES - 1; number >= 1; number -= 1) {
    const olderFile = `${path}.${number}`
    const olderStats = statSync(olderFile, { throwIfNoEntry: false })
    if (!olderStats) continue
    if (Date.now() - olderStats.mtimeMs > AGE_MAX_MS) rmSync(olderFile)
    else renameSync(olderFile, `${path}.${number + 1}`)
  }
  renameSync(path, `${path}.1`)
}
