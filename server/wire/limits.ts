/** Every business constant of the specification (section 9), named, with its unit. */
export const LIMITS = {
  concurrentUploads: 5,
  uploadProgressThrottleMs: 100,
  uploadRetryFirstMs: 1000,
  uploadRetryCapMs: 20_000,
  speedSampleMs: 1000,
  speedSamples: 5,
  /** Weight of the newest average in the smoothed speed; the old value keeps the rest. */
  speedWeight: 0.2,
  listingPageItems: 50,
  searchPageItems: 50,
  sharePageItems: 100,
  breadcrumbEntries: 4,
  longPressMs: 500,
  longPressTolerancePx: 10,
  doubleClickMs: 300,
  narrowMaxPx: 736,
  mediumMaxPx: 1024,
  toastMs: 4000,
  toastsMax: 10,
  skeletonDelayMs: 150,
  tusChunkFallbackBytes: 1024 * 1024,
  tusChunkDefaultBytes: 10 * 1024 * 1024,
  tusRetryDefault: 5,
  chunkSizeDebounceMs: 1500,
  shareDurationMax: 2_147_483_647,
  /** Archives that one server makes at the same time. */
  concurrentArchives: 8,
  textMaxBytes: 10 * 1024 * 1024,
  jsonBodyMaxBytes: 1024 * 1024,
  /** Characters in one field of a form. */
  textFieldMax: 4096,
  /** Rows in one list of a form: rules, commands. */
  listMax: 1000,
  passwordLengthMax: 1024,
  retryMax: 100,
} as const
