/** The constants of the interface (docs/specification.md 9), named, with their units. */
export const UI_LIMITS = {
  concurrentUploads: 5,
  uploadProgressThrottleMs: 100,
  uploadRetryFirstMs: 1000,
  uploadRetryCapMs: 20_000,
  /** Weight of the newest average in the smoothed speed; the old value keeps the rest. */
  speedWeight: 0.2,
  searchPageItems: 50,
  sharePageItems: 100,
  breadcrumbEntries: 4,
  longPressMs: 500,
  longPressTolerancePx: 10,
  doubleClickMs: 300,
  narrowMaxPx: 736,
  mediumMaxPx: 1024,
  labelledMinPx: 1200,
  toastMs: 4000,
  /** One with a button. */
  undoToastMs: 10_000,
  toastsMax: 10,
  skeletonDelayMs: 150,
  tusChunkFallbackBytes: 1024 * 1024,
  chunkSizeDebounceMs: 1500,
  /** Of the shell panel; its grip comes on top of the least. */
  shellHeightMinEm: 2.25,
  shellHeightEm: 25,
  /** What the highest shell panel leaves of the window. */
  shellWindowRestEm: 4,
  /** Lines of output that the shell panel keeps. */
  shellLinesMax: 5000,
  /** Command lines that are remembered of one person. */
  shellHistoryMax: 500,
  /** A folder that changes all the time is loaded anew this often. */
  livePauseMs: 400,
  /** CSV files up to this are shown as tables (docs/api.md 10.2). */
  tableMaxBytes: 5 * 1024 * 1024,
  /** Texts up to this are compared line by line. */
  compareMaxBytes: 2 * 1024 * 1024,
  /** EPUB files up to this are read in the browser. */
  bookMaxBytes: 128 * 1024 * 1024,
  /** The header of a picture or film leaves when nothing moved for so long (docs/api.md 10.2). */
  viewerIdleMs: 1500,
  /** One press of an arrow key in a player (docs/api.md 10.2). */
  seekSeconds: 10,
} as const
