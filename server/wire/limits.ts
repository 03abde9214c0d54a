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
  /** One with a button. */
  undoToastMs: 10_000,
  toastsMax: 10,
  skeletonDelayMs: 150,
  tusChunkFallbackBytes: 1024 * 1024,
  tusChunkDefaultBytes: 10 * 1024 * 1024,
  tusRetryDefault: 5,
  chunkSizeDebounceMs: 1500,
  shareDurationMax: 2_147_483_647,
  /** Of the shell panel; its grip comes on top of the least. */
  shellHeightMinEm: 2.25,
  shellHeightEm: 25,
  /** What the highest shell panel leaves of the window. */
  shellWindowRestEm: 4,
  /** Lines of output that the shell panel keeps. */
  shellLinesMax: 5000,
  /** Command lines that are remembered of one person. */
  shellHistoryMax: 500,
  /** The longest message a client may send over a socket. */
  socketMessageMaxBytes: 64 * 1024,
  /** Messages of one socket, and their characters, that wait for the one before them. */
  socketWaitingMax: 1024,
  socketWaitingMaxChars: 1024 * 1024,
  /** What waits for a client that does not read; beyond it the socket closes. */
  socketBacklogMaxBytes: 2 * 1024 * 1024,
  /** Changes within this are told as one. */
  watchPauseMs: 200,
  /** A folder that changes all the time is loaded anew this often. */
  livePauseMs: 400,
  /** Acts on one page of the record. */
  auditPage: 100,
  auditPageMax: 1000,
  /** Changes of one session or user that are undone at once. */
  undoAllMax: 10_000,
  textMaxBytes: 10 * 1024 * 1024,
  /** CSV files up to this are shown as tables (docs/api.md 10.2). */
  tableMaxBytes: 5 * 1024 * 1024,
  /** EPUB files up to this are read in the browser. */
  bookMaxBytes: 128 * 1024 * 1024,
  /** The header of a picture or film leaves when nothing moved for so long (docs/api.md 10.2). */
  viewerIdleMs: 1500,
  /** One press of an arrow key in a player (docs/api.md 10.2). */
  seekSeconds: 10,
  /** Names in the query of one archive; the header of a request holds few more. */
  archiveNamesMax: 2000,
  /** A zip lists at its end all that it holds, which is kept in memory until then. */
  zipEntriesMax: 100_000,
  zipNamesMaxBytes: 16 * 1024 * 1024,
  /** Of one request with many files, and of one file in it. */
  batchFilesMax: 500,
  batchMaxBytes: 64 * 1024 * 1024,
  batchFileMaxBytes: 1024 * 1024,
  /** Of the Upload-Metadata header. */
  uploadMetadataMaxBytes: 8 * 1024,
  /** Finished uploads that are remembered of one person, for a client that missed the last answer. */
  finishedUploadsKept: 1000,
  jsonBodyMaxBytes: 1024 * 1024,
  /** What is read and dropped of a refused body, so that its sender hears the answer (docs/api.md 1.17). */
  refusedBodyReadBytes: 32 * 1024 * 1024,
  /** Characters in one field of a form. */
  textFieldMax: 4096,
  /** Rows in one list of a form: rules, commands. */
  listMax: 1000,
  /** Sessions of one person that live at a time; the one seen longest ago makes room. */
  sessionsMax: 1000,
  /** Public links of one person. */
  sharesMax: 10_000,
  /** Bytes of the paths of one person's public links. */
  sharePathsMaxBytes: 4 * 1024 * 1024,
  /** Rules for everybody, and rules of one person. */
  rulesMax: 100,
  ruleExpressionMax: 256,
  /** Steps of a compiled expression: each may be looked at for each character of a path. */
  ruleProgramMax: 400,
  passwordLengthMax: 1024,
  /** Characters of a user name, wherever one enters. */
  usernameMax: 128,
  /** A form of somebody who is not signed in: a name, a password, a captcha. */
  credentialsMaxBytes: 8 * 1024,
  retryMax: 100,
} as const
