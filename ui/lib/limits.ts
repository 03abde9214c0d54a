/** The constants of the interface (docs/specification.md 9), with names and units. */
export const UI_LIMITS = {
  /** Entries of a listing that are sorted again by the alphabet of the language; the server's order stays for more. */
  ownAlphabetMax: 5000,
  concurrentUploads: 5,
  /** Times with a smaller difference are equal: some file systems store them in steps of two seconds. */
  sameTimeMs: 2000,
  uploadProgressThrottleMs: 100,
  retryFirstMs: 1000,
  retryCapMs: 20_000,
  /** The weight of the newest value in the moving average of the speed. */
  speedWeight: 0.2,
  sharePageItems: 100,
  /** Entries of an archive that are shown at first, and with each click. */
  archivePageItems: 200,
  breadcrumbEntries: 4,
  longPressMs: 500,
  longPressTolerancePx: 10,
  doubleClickMs: 300,
  narrowMaxPx: 736,
  mediumMaxPx: 1024,
  labelledMinPx: 1200,
  /** The time that one picture of a slideshow is shown. */
  slideMs: 5000,
  toastMs: 4000,
  /** The largest README that is shown below a listing. */
  readmeMaxBytes: 512 * 1024,
  /** The time that a toast with an undo button is shown. */
  undoToastMs: 10_000,
  toastsMax: 10,
  skeletonDelayMs: 150,
  /** The largest picture on this device that is shown while it is uploaded. */
  localPictureMaxBytes: 32 * 1024 * 1024,
  /** The largest number of pictures whose dates are requested; a larger folder has no groups by day. */
  albumMax: 10_000,
  /** The time that a gallery waits for the sizes and dates of its pictures. */
  galleryWaitMs: 1000,
  tusChunkFallbackBytes: 1024 * 1024,
  chunkSizeDebounceMs: 1500,
  /** The smallest height of the shell panel, without its resize handle. */
  shellHeightMinEm: 2.25,
  shellHeightEm: 25,
  /** The height of the window that the largest shell panel leaves free. */
  shellWindowRestEm: 4,
  /** The number of output lines that the shell panel keeps. */
  shellLinesMax: 5000,
  /** The number of lines in one user's command history. */
  shellHistoryMax: 500,
  /** The interval at which a folder with constant changes is reloaded. */
  liveReloadMs: 400,
  /** The polling interval of jobs while uploads use the connection of the event stream. */
  jobsPollMs: 5000,
  /** The largest CSV file that is shown as a table (docs/api.md 10.2). */
  tableMaxBytes: 5 * 1024 * 1024,
  /** The largest text that is compared line by line. */
  compareMaxBytes: 2 * 1024 * 1024,
  /** The largest EPUB file that is opened in the browser. */
  bookMaxBytes: 128 * 1024 * 1024,
  /** The largest PDF that is opened in the browser. */
  pdfMaxBytes: 512 * 1024 * 1024,
  /** The largest text document or spreadsheet that is opened in the browser. */
  documentMaxBytes: 50 * 1024 * 1024,
  /** The time without pointer movement after which the header of a picture or film is hidden (docs/api.md 10.2). */
  viewerIdleMs: 1500,
  /** The step of an arrow key in a media player (docs/api.md 10.2). */
  seekSeconds: 10,
} as const
