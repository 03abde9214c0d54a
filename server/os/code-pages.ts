/** The pages of the executable's code, which the kernel maps when they run for the first time. */
import { existsSync, readFileSync } from 'node:fs'
import { call } from './libc.ts'

/** Tells the kernel that a range of memory is not needed now (madvise(2)). */
const MADV_DONTNEED = 4
const MAPS = '/proc/self/maps'

/**
 * Removes the executable's code from the memory of this process. The kernel maps a page again when it runs, from its
 * cache of the file. The code that runs only at the start is a third of the memory of an idle server. Does nothing on
 * a system without /proc.
 *
 * @throws SystemError
 */
export function releaseCodePages(): void {
  if (!existsSync(MAPS)) return
  for (const line of readFileSync(MAPS, 'latin1').split('\n')) {
    // Code is never written, so no change of this process is lost.
    const [, from, to, file] = /^([0-9a-f]+)-([0-9a-f]+) r-xp \S+ \S+ \d+ +(.+)$/.exec(line) ?? []
    if (!from || !to || file !== process.execPath) continue
    const start = BigInt(`0x${from}`)
    call('madvise', start, BigInt(`0x${to}`) - start, MADV_DONTNEED)
  }
}
