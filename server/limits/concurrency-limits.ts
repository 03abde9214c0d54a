/** All concurrency limits of the server. `npm run modules` writes them to docs/limits.md. */
import type { FaultReason } from '#wire/fault.ts'

/** A limit, and the message of its refusal. */
export interface LimitRule {
  /** What is counted, in the plural. */
  readonly what: string
  /** The limit for one user or one address; beyond it the response is 429. */
  readonly perKey?: number
  readonly per?: 'user' | 'address'
  /** The limit for all; beyond it the response is 503. */
  readonly all?: number
  /** How many more may wait in a queue, if there is one. */
  readonly waiting?: number
  /** How many tasks that let the next one start early (`Permit.releaseEarly`) may run in addition to `all`. */
  readonly overcommit?: number
  readonly message: string
  /** For the refusal of a user who can end some of them. */
  readonly reason?: FaultReason
  readonly retryAfterSec: number
}

/** Memory for all pictures that are being rendered: their files and decoded pixels. */
export const PREVIEW_MEMORY_BYTES = 512 * 2 ** 20

export const CONCURRENCY_LIMITS = {
  requests: {
    what: 'requests in progress',
    perKey: 512,
    per: 'address',
    all: 4096,
    message: 'Too many requests at a time. Try again in a moment.',
    retryAfterSec: 2,
  },
  forms: {
    what: 'forms without sign-in being read',
    perKey: 16,
    per: 'address',
    all: 2048,
    message: 'Too many forms are being sent. Try again in a moment.',
    retryAfterSec: 2,
  },
  sending: {
    what: 'resumable uploads being sent',
    perKey: 64,
    per: 'user',
    all: 512,
    message: 'Too many uploads are being sent. Try again when one is done.',
    retryAfterSec: 5,
  },
  uploads: {
    what: 'unfinished resumable uploads',
    perKey: 1000,
    per: 'user',
    all: 10_000,
    message: 'Too many uploads are unfinished. Finish or cancel some first.',
    reason: 'uploadsFull',
    retryAfterSec: 60,
  },
  batches: {
    what: 'requests with many files',
    perKey: 8,
    per: 'user',
    all: 32,
    message: 'Too many files are being sent. Try again when some are done.',
    retryAfterSec: 2,
  },
  archives: {
    what: 'archives being created',
    perKey: 4,
    per: 'user',
    all: 8,
    message: 'Too many archives are being created. Try again when one is done.',
    retryAfterSec: 10,
  },
  archiveReads: {
    what: 'archives being read without extraction',
    perKey: 4,
    per: 'user',
    all: 8,
    message: 'Too many archives are being read. Try again in a moment.',
    retryAfterSec: 2,
  },
  publicArchiveReads: {
    what: 'archives read by visitors',
    perKey: 2,
    per: 'address',
    all: 4,
    message: 'Too many archives are being read. Try again in a moment.',
    retryAfterSec: 2,
  },
  listings: {
    what: 'listings in progress; a client with this many waits',
    perKey: 4,
    per: 'user',
    all: 8,
    waiting: 128,
    message: 'Too many folders are being listed. Try again in a moment.',
    retryAfterSec: 2,
  },
  largeResponses: {
    what: 'MiB of large listings being sent',
    perKey: 64,
    per: 'user',
    all: 512,
    message: 'Too many large folders are being sent. Try again in a moment.',
    retryAfterSec: 5,
  },
  jobs: {
    what: 'jobs that have not ended',
    perKey: 32,
    per: 'user',
    all: 256,
    message: 'Too many jobs are unfinished. Try again when one is done.',
    retryAfterSec: 30,
  },
  runningJobs: {
    what: 'running jobs; the others wait',
    perKey: 1,
    per: 'user',
    all: 2,
    waiting: 1024,
    overcommit: 8,
    message: 'Too many jobs are waiting. Try again when one is done.',
    retryAfterSec: 30,
  },
  plans: {
    what: 'plans of jobs being created',
    perKey: 2,
    per: 'user',
    all: 8,
    message: 'Too many jobs are being planned. Try again in a moment.',
    retryAfterSec: 2,
  },
  publicArchives: {
    what: 'archives for visitors',
    perKey: 2,
    per: 'address',
    all: 4,
    message: 'Too many archives are being created. Try again when one is done.',
    retryAfterSec: 10,
  },
  checksums: {
    what: 'checksums',
    perKey: 2,
    per: 'user',
    all: 8,
    message: 'Too many checksums are being computed. Try again when one is done.',
    retryAfterSec: 5,
  },
  searches: {
    what: 'searches',
    perKey: 4,
    per: 'user',
    all: 32,
    message: 'Too many searches are running. Try again in a moment.',
    retryAfterSec: 2,
  },
  watches: {
    what: 'watched folders',
    perKey: 32,
    per: 'user',
    all: 2000,
    message: 'Too many folders are watched already.',
    retryAfterSec: 30,
  },
  /** For the folders in the folder tree, in addition to `watches`. If one is refused, only the tree is not updated. */
  treeWatches: {
    what: 'watched folders of the folder tree',
    perKey: 64,
    per: 'user',
    all: 2000,
    message: 'Too many folders are watched already.',
    retryAfterSec: 30,
  },
  shells: {
    what: 'command sockets',
    perKey: 8,
    per: 'user',
    all: 64,
    message: 'Too many terminals are open. Close one first.',
    reason: 'terminalsFull',
    retryAfterSec: 30,
  },
  passwords: {
    what: 'passwords being compared',
    all: 2,
    waiting: 64,
    message: 'Too many users are signing in. Try again in a moment.',
    retryAfterSec: 2,
  },
  directories: {
    what: 'requests to directories',
    all: 8,
    waiting: 64,
    message: 'Too many users are signing in. Try again in a moment.',
    retryAfterSec: 2,
  },
  linkPasswords: {
    what: 'new links whose passwords are being hashed',
    perKey: 2,
    per: 'user',
    all: 8,
    message: 'Too many shares are being created. Try again in a moment.',
    retryAfterSec: 2,
  },
  signInCommands: {
    what: 'sign-in commands',
    all: 8,
    waiting: 64,
    message: 'Too many users are signing in. Try again in a moment.',
    retryAfterSec: 2,
  },
  media: {
    what: 'requests for media data',
    perKey: 8,
    per: 'user',
    all: 32,
    message: 'Too many pictures are being read. Try again in a moment.',
    retryAfterSec: 2,
  },
  previews: {
    what: 'previews being rendered',
    perKey: 128,
    per: 'user',
    // How many are rendered at a time is an option: --image-processors.
    waiting: 256,
    message: 'Too many previews are being rendered. Try again in a moment.',
    retryAfterSec: 2,
  },
} as const satisfies Record<string, LimitRule>
