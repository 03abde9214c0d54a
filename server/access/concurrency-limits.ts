/** All concurrency limits of the server. SECURITY.md has the same table. */

/** A limit, and the message of its refusal. */
export interface LimitRule {
  /** What is counted, in the plural. */
  readonly what: string
  /** The limit for one user or one address; beyond it the answer is 429. */
  readonly own?: number
  readonly per?: 'person' | 'address'
  /** The limit for all; beyond it the answer is 503. */
  readonly all?: number
  /** How many more may wait in a queue, if there is one. */
  readonly waiting?: number
  /** How many tasks that cannot stop may run in addition to `all`. */
  readonly overcommit?: number
  readonly message: string
  readonly retryAfterSec: number
}

/** Memory for the decoded pixels and the files of all pictures that are being rendered. */
export const PREVIEW_MEMORY_BYTES = 512 * 2 ** 20

export const CONCURRENCY_LIMITS = {
  requests: {
    what: 'requests under way',
    own: 512,
    per: 'address',
    all: 4096,
    message: 'Too many requests at a time. Try again in a moment.',
    retryAfterSec: 2,
  },
  forms: {
    what: 'forms of strangers being read',
    own: 16,
    per: 'address',
    all: 2048,
    message: 'Too many forms are being sent. Try again in a moment.',
    retryAfterSec: 2,
  },
  sending: {
    what: 'resumable uploads being sent',
    own: 64,
    per: 'person',
    all: 512,
    message: 'Too many uploads are being sent. Try again when one is done.',
    retryAfterSec: 5,
  },
  uploads: {
    what: 'unfinished resumable uploads',
    own: 1000,
    per: 'person',
    all: 10_000,
    message: 'Too many uploads are unfinished. Finish or cancel some first.',
    retryAfterSec: 60,
  },
  batches: {
    what: 'requests with many files',
    own: 8,
    per: 'person',
    all: 32,
    message: 'Too many files are being sent. Try again when some are done.',
    retryAfterSec: 2,
  },
  archives: {
    what: 'archives in the making',
    own: 4,
    per: 'person',
    all: 8,
    message: 'Too many archives are being made. Try again when one is done.',
    retryAfterSec: 10,
  },
  listings: {
    what: 'listings in progress; a client with this many waits',
    own: 4,
    per: 'person',
    all: 8,
    waiting: 128,
    message: 'Too many folders are being listed. Try again in a moment.',
    retryAfterSec: 2,
  },
  answers: {
    what: 'MiB of large listings on their way',
    own: 64,
    per: 'person',
    all: 512,
    message: 'Too many large folders are being sent. Try again in a moment.',
    retryAfterSec: 5,
  },
  jobs: {
    what: 'jobs that are not over',
    own: 32,
    per: 'person',
    all: 256,
    message: 'Too many jobs are not over. Try again when one is done.',
    retryAfterSec: 30,
  },
  runningJobs: {
    what: 'jobs that are running; the others wait',
    own: 1,
    per: 'person',
    all: 2,
    waiting: 1024,
    overcommit: 8,
    message: 'Too many jobs are waiting. Try again when one is done.',
    retryAfterSec: 30,
  },
  plans: {
    what: 'plans of jobs in the making',
    own: 2,
    per: 'person',
    all: 8,
    message: 'Too many jobs are being planned. Try again in a moment.',
    retryAfterSec: 2,
  },
  publicArchives: {
    what: 'archives for strangers',
    own: 2,
    per: 'address',
    all: 4,
    message: 'Too many archives are being made. Try again when one is done.',
    retryAfterSec: 10,
  },
  checksums: {
    what: 'checksums',
    own: 2,
    per: 'person',
    all: 8,
    message: 'Too many checksums are being computed. Try again when one is done.',
    retryAfterSec: 5,
  },
  searches: {
    what: 'searches',
    own: 4,
    per: 'person',
    all: 32,
    message: 'Too many searches are running. Try again in a moment.',
    retryAfterSec: 2,
  },
  watches: {
    what: 'watched folders',
    own: 32,
    per: 'person',
    all: 2000,
    message: 'Too many folders are watched already.',
    retryAfterSec: 30,
  },
  shells: {
    what: 'command sockets',
    own: 8,
    per: 'person',
    all: 64,
    message: 'Too many terminals are open; close one first.',
    retryAfterSec: 30,
  },
  passwords: {
    what: 'passwords being compared',
    all: 2,
    waiting: 64,
    message: 'Too many people are signing in. Try again in a moment.',
    retryAfterSec: 2,
  },
  linkPasswords: {
    what: 'new links whose passwords are being hashed',
    own: 2,
    per: 'person',
    all: 8,
    message: 'Too many shares are being made. Try again in a moment.',
    retryAfterSec: 2,
  },
  signInCommands: {
    what: 'sign-in commands',
    all: 8,
    waiting: 64,
    message: 'Too many people are signing in. Try again in a moment.',
    retryAfterSec: 2,
  },
  media: {
    what: 'folders and files asked for dates and cameras',
    own: 8,
    per: 'person',
    all: 32,
    message: 'Too many pictures are being read. Try again in a moment.',
    retryAfterSec: 2,
  },
  previews: {
    what: 'pictures being drawn',
    own: 128,
    per: 'person',
    // How many are rendered at a time is an option: --image-processors.
    waiting: 256,
    message: 'Too many previews are being made. Try again in a moment.',
    retryAfterSec: 2,
  },
} as const satisfies Record<string, LimitRule>
