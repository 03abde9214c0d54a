/**
 * The slowest test files of those that run at the same time as others, the slowest first. Each takes at least 25 seconds in a
 * run of all tests on two cores. The order decides only when a file begins.
 */
export const SLOW_FILES: readonly string[] = [
  'test/faults/silent-changes.test.ts',
  'test/attacks/catalogue.test.ts',
  'test/faults/slow-root.test.ts',
  'test/api/extract.test.ts',
  'test/api/listings.test.ts',
  'test/api/on-portable.test.ts',
  'test/api/command.test.ts',
  'test/api/late-ranges.test.ts',
  'test/faults/silent-mount.test.ts',
  'test/api/tus-clients.test.ts',
  'test/faults/silent-walks.test.ts',
  'test/faults/undo.test.ts',
  'test/cluster/changes.test.ts',
  'test/cluster/campaign.test.ts',
  'test/cluster/balanced.test.ts',
  'test/faults/jobs-without-database.test.ts',
  'test/cluster/sleeping.test.ts',
  'test/cluster/shared-mounts.test.ts',
  'test/cluster/one-only.test.ts',
  'test/api/sign-in-methods.test.ts',
  'test/faults/jobs.test.ts',
  'test/api/bounds.test.ts',
  'test/api/picture-memory.test.ts',
  'test/server/archives/write/write-archive.test.ts',
  'test/server/storage/local/operations/overlapping-merge.test.ts',
  'test/server/accounts/sign-in/sign-in.test.ts',
  'test/api/fuzz.test.ts',
  'test/faults/hang-ups.test.ts',
]
