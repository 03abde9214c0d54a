import { dirname } from 'node:path'

/** The folder of the repository. */
export const HOUSE = dirname(import.meta.dir)
