/** sync_file_range(2): starts the writing of a file to the disk, and does not wait for it. */
import { numberOf } from './call-numbers.ts'
import { libc } from './libc.ts'

const SYNC_FILE_RANGE_WRITE = 2

/** Starts the writing of an open file. It is only a hint: the flush that follows reports errors. */
export function startWriting(fd: number): void {
  // From the first byte to the end.
  libc?.syscall(numberOf('sync_file_range'), fd, 0, 0, SYNC_FILE_RANGE_WRITE, 0)
}
