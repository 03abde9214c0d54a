/**
 * The constants of the interface (docs/specification.md 9), with names and units. Those of readers that load on demand
 * are in reader-limits.ts, so that the first page does not load them.
 */
import { DAY_MS } from '#wire/units.ts'

export const UI_LIMITS = {
  // Listings, galleries and the sidebar
  /** Rows of a list or table that are sorted by the alphabet of the language. With more rows that takes too long. */
  ownAlphabetMax: 5000,
  /** The last listings that are stored, so that the server sends them again only if they have changed. */
  cachedListingsMax: 8,
  /** The interval at which a folder with constant changes is reloaded. */
  liveReloadMs: 400,
  breadcrumbEntries: 4,
  /** The subfolders in the tree and in the menu of a breadcrumb. The listing shows all of them. */
  subfoldersListedMax: 200,
  /** The recent files in the sidebar: with more, the folders below would be out of view. */
  recentFilesMax: 5,
  /** The used share of the storage above which the bar warns. */
  storageWarningShare: 0.95,
  /** The audit records that the details panel shows of one entry. */
  detailsRecordsMax: 5,
  /** The largest README that is shown below a listing. */
  readmeMaxBytes: 512 * 1024,
  sharePageItems: 100,
  /** After this many pictures that cannot be shown, the folder's icon is shown: further attempts would take long. */
  brokenCoversMax: 6,
  /** Entries of an archive that are shown at first, and with each click. */
  archivePageItems: 200,
  /** The largest number of pictures whose dates are requested; a larger folder has no groups by day. */
  albumMax: 10_000,
  /** With more days than this, pictures are grouped by month. */
  albumDaysMax: 40,
  /** Days with fewer pictures than this on average would have a row of one or two pictures each. */
  albumPicturesPerDayMin: 3,
  /** Up to this number of days, such short rows do not matter. */
  albumShortDaysMax: 5,
  /** The time that a gallery waits for the sizes and dates of its pictures. */
  galleryWaitMs: 1000,

  // Search
  /** The time without a keystroke after which the search begins. */
  searchPauseMs: 80,
  /** The further time without a keystroke after which file contents are searched, because that costs the server more. */
  contentSearchPauseMs: 300,
  /** The time without a keystroke after which the filter of the activity log is applied. */
  filterPauseMs: 300,
  /** If commands or users follow, only so many files are listed, and a row that shows all. */
  finderFirstHits: 8,
  /** That row must show at least so many more files; fewer are listed without it. */
  finderMoreHitsMin: 4,
  finderCommandsMax: 8,
  /** The limit of commands while no text is typed. */
  finderAllCommandsMax: 100,
  finderUsersMax: 5,
  /** The rows by which the most used result rises: a much better match stays before it. */
  finderLiftMaxRows: 6,

  // Dialogs
  /** Times with a smaller difference are equal: some file systems store them in steps of two seconds. */
  sameTimeMs: 2000,
  /** The conflicts with a row of their own; the last row decides all others together. */
  conflictRowsMax: 200,
  /** The files of unfinished uploads, or the entries that a job leaves out, that are listed by name. */
  namesListedMax: 3,
  /** The problems of a job that are listed; the others are counted. */
  problemsListedMax: 5,
  /** The entries that the question before a deletion lists by name; the others are counted. */
  deletedNamesListedMax: 5,
  /** If the path of a new entry has more folders than this, only the innermost one is shown. */
  resultingFoldersMax: 2,

  // Uploads and jobs
  concurrentUploads: 5,
  /** Before an upload: the unfinished uploads whose state is requested, or the folders that are listed, at a time. */
  concurrentChecks: 5,
  /** The files of a dropped folder that are opened at a time. */
  concurrentFileReads: 64,
  uploadProgressThrottleMs: 100,
  retryFirstMs: 1000,
  retryCapMs: 20_000,
  /** The weight of the newest value in the moving average of the speed. */
  speedWeight: 0.2,
  tusChunkFallbackBytes: 1024 * 1024,
  chunkSizeDebounceMs: 1500,
  /** Smaller files are sent in one request, because resuming them saves nothing. */
  resumableMinBytes: 1024 * 1024,
  /** The largest file that is sent in a batch. */
  batchedFileMaxBytes: 256 * 1024,
  /** If fewer small files wait, each is sent in its own request. */
  batchFilesMin: 10,
  batchFilesMax: 100,
  batchMaxBytes: 4 * 1024 * 1024,
  /** The placeholders in a listing. More would only cost rendering time. */
  uploadingRowsMax: 100,
  /** The largest picture on this device that is shown while it is uploaded. */
  localPictureMaxBytes: 32 * 1024 * 1024,
  /** The interval at which uploads check whether the user has signed in again. */
  signInPollMs: 1000,
  /** The polling interval of jobs while uploads use the connection of the event stream. */
  jobsPollMs: 5000,

  // What the browser stores
  /** The unfinished uploads; beyond it, the oldest are deleted. */
  storedUploadsMax: 200,
  /** The reading and playback positions; beyond it, the oldest are deleted. */
  storedBookmarksMax: 200,
  /** The folders with a view of their own; beyond it, those that were changed longest ago are deleted. */
  storedFolderViewsMax: 200,
  /** The paths with a number of uses; beyond it, those that were not opened for the longest time are deleted. */
  storedUsesMax: 300,
  /** When a number of uses reaches this, all are halved, so that old uses count less than new ones. */
  useCountMax: 32,
  /** The entries on the clipboard, because the browser's storage is small (about 5 MB). */
  clipboardEntriesMax: 2000,
  /** After this time the entries are no longer pasted: a paste of forgotten files would be a surprise. */
  clipboardMs: DAY_MS,
  /** The changes that can be undone on this page. The journal keeps older ones. */
  undoGroupsMax: 100,

  // Pictures, music and films
  /** Thumbnails that are requested at a time: browsers open at most six connections to a server over HTTP/1.1. */
  concurrentThumbnails: 6,
  /** A thumbnail that failed is requested again after this time: the server may have been busy. */
  thumbnailRetryMs: 5 * 60_000,
  /** The largest picture that is shown in the original instead of a preview. */
  smallPictureMaxBytes: 512 * 1024,
  /**
   * Browsers do not show pictures with more pixels: a decoded one needs 400 MB, and more memory may end the page. The
   * server makes no previews of them.
   */
  pictureMaxPixels: 10_000 * 10_000,
  /** The factor of one step of the zoom. */
  zoomStep: 1.25,
  /** The time that one picture of a slideshow is shown. */
  slideMs: 5000,
  /** The time without pointer movement after which the header of a picture or film is hidden (docs/api.md 10.2). */
  viewerIdleMs: 1500,
  /** The step of an arrow key in a media player (docs/api.md 10.2). */
  seekSeconds: 10,
  /** The queue of music. Of a larger folder, only the files around the chosen one are queued. */
  musicQueueMax: 500,
  /** The files before the chosen one that are queued if the folder is too large. */
  musicQueueMaxBefore: 50,
  /** After this playing time, "previous" returns to the beginning of the track instead of the track before. */
  trackRestartSeconds: 3,
  /** The bytes that are read from the start of a sound file; most tags with their cover fit into them. */
  soundTagsMaxBytes: 256 * 1024,
  /** The position in a shorter recording is not stored. */
  bookmarkedMinSeconds: 60,
  /** The position is stored each time it has moved this far. */
  bookmarkStepSeconds: 5,

  // Shell
  /** The smallest height of the shell panel, without its resize handle. */
  shellHeightMinEm: 2.25,
  shellHeightEm: 25,
  /** The height of the window that the largest shell panel leaves free. */
  shellWindowRestEm: 4,
  /** The output lines that the shell panel and the terminal keep. */
  shellLinesMax: 5000,
  /** A longer line is wrapped into the next one. */
  shellLineMaxChars: 8000,
  /** An unfinished escape sequence that is longer is dropped: it is not valid, and must not grow without end. */
  escapeMaxChars: 4096,
  /** The interval at which output is rendered: a program may write thousands of lines a second. */
  shellRenderMs: 40,
  /** The lines in one user's command history. */
  shellHistoryMax: 500,

  // Pointer, keyboard, window and toasts
  longPressMs: 500,
  longPressTolerancePx: 10,
  doubleClickMs: 300,
  /** Letters typed within this time of each other belong to one name. */
  typedNameMs: 800,
  /** The time of hovering after which a tooltip appears. */
  tooltipDelayMs: 500,
  /** Within this time after a tooltip was hidden, the next one appears without delay. */
  nextTooltipMs: 400,
  narrowMaxPx: 736,
  mediumMaxPx: 1024,
  labelledMinPx: 1200,
  toastMs: 4000,
  /** The time that a toast with an undo button is shown. */
  undoToastMs: 10_000,
  toastsMax: 10,

  // Loading
  skeletonDelayMs: 150,
  /** The sign-in page waits this long for the captcha's script. */
  captchaWaitMs: 5000,
  /** One slice of long work. It is shorter than a noticeable delay, and than a long task (50 ms). */
  sliceMs: 12,
  /** Work that waits for an idle page begins after this time at the latest. */
  idleWaitMs: 500,
  /** The longest delay of a browser timer: a token that expires later gets no timer. */
  timerMaxMs: 2 ** 31 - 1,

  // The largest files that are opened in the browser
  /** The largest CSV file that is shown as a table (docs/api.md 10.2). */
  tableMaxBytes: 5 * 1024 * 1024,
  /** The largest text that is compared line by line. */
  compareMaxBytes: 2 * 1024 * 1024,
  /** The largest EPUB file. */
  bookMaxBytes: 128 * 1024 * 1024,
  pdfMaxBytes: 512 * 1024 * 1024,
  /** The largest text document or spreadsheet. */
  documentMaxBytes: 50 * 1024 * 1024,
} as const
