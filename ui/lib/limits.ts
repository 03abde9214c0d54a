/**
 * The constants of the interface (docs/specification.md 9), with names and units. Constants that only code loaded on
 * demand needs are in on-demand-limits.ts, so that the first page does not load them.
 */
import { DAY_MS } from '#wire/units.ts'

export const UI_LIMITS = {
  // Listings, galleries and the sidebar
  /** Rows of a list or table that are sorted by the alphabet of the language. With more rows that takes too long. */
  ownAlphabetMax: 5000,
  /** The last listings that are stored, so that the server sends them again only if they have changed. */
  cachedListingsMax: 8,
  /** The first and the longest pause before an event stream is requested again after an error. */
  eventRetryMinMs: 5000,
  eventRetryMaxMs: 60_000,
  /** The interval at which a folder with constant changes is reloaded. */
  liveReloadMs: 400,
  /** The interval at which a folder of the folder tree with constant changes is reloaded. */
  treeReloadMs: 3000,
  /** After this time the event stream reports branches of the folder tree that were opened. */
  treeWatchMs: 400,
  breadcrumbEntries: 4,
  /** Names up to this length are not cut in their middle. */
  shortNameMax: 20,
  /** The end of a longer name, which stays visible: it begins behind a separator, or else has a fixed length. */
  nameEndMax: 16,
  nameEndMin: 8,
  nameEnd: 10,
  /** The subfolders in the tree and in the menu of a breadcrumb. The listing shows all of them. */
  subfoldersListedMax: 200,
  /** The used fraction of the storage above which the bar warns. */
  storageWarningFraction: 0.95,
  /** The trash is named beside the free space if emptying it would add more than this fraction. */
  trashShownFraction: 0.1,
  /** The largest README that is shown below a listing. */
  readmeMaxBytes: 512 * 1024,
  /** The time that a gallery waits for the sizes and dates of its pictures. */
  galleryWaitMs: 1000,

  // Dialogs
  /** The largest number of entries for which shares are created at once. */
  sharedAtOnceMax: 100,
  /** Times with a smaller difference are equal: some file systems store them in steps of two seconds. */
  sameTimeMs: 2000,

  // Uploads and jobs
  concurrentUploads: 5,
  /** Before an upload: the unfinished uploads whose state is requested, or the folders that are listed, at a time. */
  concurrentChecks: 5,
  /** The files of a dropped folder that are opened at a time. */
  concurrentFileReads: 64,
  uploadProgressThrottleMs: 100,
  retryFirstMs: 1000,
  retryCapMs: 20_000,
  /** An upload that sends nothing for this time waits for the connection: browsers report a lost one much later. */
  uploadStalledMs: 2000,
  /** The weight of the newest value in the moving average of the speed. */
  speedWeight: 0.2,
  tusChunkFallbackBytes: 1024 * 1024,
  /** The largest file of which a checksum is computed to compare it with the file on the server: all of it is in memory. */
  comparedFileMaxBytes: 32 * 1024 * 1024,
  /** The largest part of a file that is read to memory and sent in one request. */
  uploadPartMaxBytes: 16 * 1024 * 1024,
  /** The last bytes of a resumable upload, which are sent after a check that the file has not changed. */
  uploadTailBytes: 1024,
  /** The texts whose chosen encodings are remembered. */
  rememberedEncodingsMax: 200,
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
  /** The interval at which uploads check whether the user has signed in again. */
  signInPollMs: 1000,
  /** The polling interval of jobs while uploads use the connection of the event stream. */
  uploadingPollMs: 5000,

  // What the browser stores
  /** The unfinished uploads; beyond it, the oldest are deleted. */
  storedUploadsMax: 200,
  /** The folders with a view of their own; beyond it, those that were changed longest ago are deleted. */
  storedFolderViewsMax: 200,
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
  /** The factor of one step of the zoom. */
  zoomStep: 1.25,
  /** The least width and height of a part of a picture. */
  cropMinPixels: 8,
  /** The queue of music. Of a larger folder, only the files around the chosen one are queued. */
  musicQueueMax: 500,
  /** The files before the chosen one that are queued if the folder is too large. */
  musicQueueMaxBefore: 50,

  // Shell
  /** The smallest height of the shell panel, without its resize handle. */
  shellHeightMinEm: 2.25,
  shellHeightEm: 25,
  /** The height of the window that the largest shell panel leaves free. */
  shellWindowRestEm: 4,

  // Pointer, keyboard, window and toasts
  longPressMs: 500,
  longPressTolerancePx: 10,
  doubleClickMs: 300,
  /** Letters typed within this time of each other belong to one name. */
  typedNameMs: 800,
  /** The width of the window up to which the interface has one column. */
  narrowMaxPx: 736,
  /** The width up to which the sidebar and the details panel cover the page. Wider, they are beside it. */
  mediumMaxPx: 1024,
  toastMs: 4000,
  /** The time that a toast with an undo button is shown. */
  undoToastMs: 10_000,
  toastsMax: 10,

  // Loading
  /** The placeholders of a page that loads appear after this time, so that fast pages show none. */
  skeletonDelayMs: 150,
  /** The sign-in page waits this long for the captcha's script. */
  captchaWaitMs: 5000,
  /** One slice of long work. It is shorter than a noticeable delay, and than a long task (50 ms). */
  sliceMs: 12,
  /** Work that waits for an idle page begins after this time; with `requestIdleCallback`, after ten times it at the latest. */
  idleWaitMs: 500,
  /** The longest delay of a browser timer: a token that expires later gets no timer. */
  timerMaxMs: 2 ** 31 - 1,

  // The largest files that are opened in the browser
  /** The largest CSV file that is shown as a table (docs/api.md 10.2). */
  tableMaxBytes: 5 * 1024 * 1024,
  /** The largest EPUB file. */
  bookMaxBytes: 128 * 1024 * 1024,
  pdfMaxBytes: 512 * 1024 * 1024,
  /** The largest text document or spreadsheet. */
  documentMaxBytes: 50 * 1024 * 1024,
} as const
