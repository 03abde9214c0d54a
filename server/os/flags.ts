/** Flags of open(2) that node's constants lack; the same on every Linux architecture that Bun runs on. */
import { constants } from 'node:fs'

/** Names an object without opening what it holds. */
export const O_PATH = 0o10000000
/** A folder, and nothing else. */
export const O_FOLDER = O_PATH | constants.O_DIRECTORY
/** node:fs sets it by itself. */
export const O_CLOEXEC = 0o2000000
