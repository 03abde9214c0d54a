/** Flags of open(2) that node's constants lack; equal on all Linux architectures that Bun supports. */
import { constants } from 'node:fs'

/** Refers to an object without opening its content. */
export const O_PATH = 0o10000000
/** Opens only folders. The system may lack it; then it is a flag of this program. */
export const O_DIRECTORY = constants.O_DIRECTORY ?? 0o200000
/** Refers to a folder. */
export const O_FOLDER = O_PATH | O_DIRECTORY
/** node:fs sets it implicitly. */
export const O_CLOEXEC = 0o2000000
