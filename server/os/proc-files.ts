/** Files of proc(5), which belong to processes that may end at any time. */
import { readFileSync, readlinkSync } from 'node:fs'

/** @returns the text of a file, without the line end; empty if it cannot be read */
export function procText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/** @returns the target of a link; empty if it cannot be read */
export function procLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
