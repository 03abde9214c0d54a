/** What one server takes on at a time: every number of it. SECURITY.md shows the same table. */

/** A number that nobody gets past, and what whoever tries is told. */
export interface Bound {
  /** What is counted, in the plural. */
  readonly what: string
  /** At a time, of one person or one address. Whoever has as many is answered with 429. */
  readonly own?: number
  readonly whose?: 'person' | 'address'
  /** At a time, of everybody. Beyond it 503. */
  readonly all?: number
  /** How many more may wait for their turn, where there are turns. */
  readonly waiting?: number
  readonly words: string
  readonly retryAfterSec: number
}

export const BOUNDS = {
  requests: {
    what: 'requests under way',
    own: 512,
    whose: 'address',
    all: 4096,
    words: 'Too many requests at a time. Try again in a moment.',
    retryAfterSec: 2,
  },
  archives: {
    what: 'archives in the making',
    own: 4,
    whose: 'person',
    all: 8,
    words: 'As many archives are being made as may be. Try again when one is done.',
    retryAfterSec: 10,
  },
  searches: {
    what: 'searches',
    own: 4,
    whose: 'person',
    all: 32,
    words: 'Too many searches run. Try again in a moment.',
    retryAfterSec: 2,
  },
  watches: {
    what: 'watched folders',
    own: 32,
    whose: 'person',
    all: 2000,
    words: 'Too many folders are watched already.',
    retryAfterSec: 30,
  },
  shells: {
    what: 'command sockets',
    own: 8,
    whose: 'person',
    all: 64,
    words: 'Too many terminals are open; close one first.',
    retryAfterSec: 30,
  },
  passwords: {
    what: 'passwords being compared',
    all: 2,
    waiting: 64,
    words: 'Too many people are signing in. Try again in a moment.',
    retryAfterSec: 2,
  },
  previews: {
    what: 'pictures being drawn',
    // How many are drawn at a time is the operator's: --image-processors.
    waiting: 256,
    words: 'Too many pictures are being drawn. Try again in a moment.',
    retryAfterSec: 2,
  },
} as const satisfies Record<string, Bound>
