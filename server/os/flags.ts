/** Flags of open(2) that node's constants lack; equal on all Linux architectures that Bun supports. */
import { constants } from 'node:fs'

/** Refers to an object without opening its content. */
export const O_PATH = 0o10000000
/** Opens only folders. The system may lack it; then it is a flag of this program. */
export const O_DIRECTORY = constants.O_DIRECTORY ?? 0o200000
/** Refers to a folder. */
export const O_FOLDER = O_PATH | O_DIRECTORY
/**
 * Opens a file whose attributes are set and which is flushed. Linux needs no right to write for that; Windows flushes only
 * what is open for writing.
 */
export const O_FINISH = process.platform === 'win32' ? constants.O_RDWR : constants.O_RDONLY
/** node:fs sets it implicitly. */
export const O_CLOEXEC = 0o2000000
