/** The open files of a process. */
import { readdirSync, readlinkSync } from 'node:fs'

/** Whether this process has a file open. */
export function isOpen(path: string): boolean {
  return openFiles('self').includes(path)
}

/** How many descriptors a process has for files with this name. */
export function countOpen(pid: number, name: string): number {
  return openFiles(pid).filter((path) => path.endsWith(`/${name}`)).length
}

/** The paths of its open files; one that is open twice is there twice. */
function openFiles(pid: number | 'self'): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(`${folder}/${fd}`)]
    } catch {
      // The descriptor is closed by now, such as that of the listing itself.
      return []
    }
  })
}
