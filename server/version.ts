/** The version of this build, defined by `scripts/build.ts`; absent when running from source. */
declare const FILEMGR_VERSION: string
declare const FILEMGR_COMMIT: string

export const VERSION = typeof FILEMGR_VERSION === 'string' ? FILEMGR_VERSION : '0.0.0-dev'
export const COMMIT = typeof FILEMGR_COMMIT === 'string' ? FILEMGR_COMMIT : 'unknown'
