/** Which build this is. `scripts/build.ts` defines both names; a run from source has neither. */
declare const FILEMGR_VERSION: string
declare const FILEMGR_COMMIT: string

export const VERSION = typeof FILEMGR_VERSION === 'string' ? FILEMGR_VERSION : '0.0.0-dev'
export const COMMIT = typeof FILEMGR_COMMIT === 'string' ? FILEMGR_COMMIT : 'unknown'
