/** The open files of this process. */
import { readdirSync, readlinkSync } from 'node:fs'

/** Whether this process has a file open. */
export function isOpen(path: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      // The descriptor of the listing itself is closed by now.
      return false
    }
  })
}
