import { dirname } from 'node:path'

/** The folder of the repository. */
export const REPO_ROOT = dirname(import.meta.dir)
