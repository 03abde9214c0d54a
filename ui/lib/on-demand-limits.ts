/**
 * The constants of code that is loaded on demand: dialogs, players, viewers of documents and books, finder, shell. The
 * others are in limits.ts.
 */

const MIB = 2 ** 20

export const ON_DEMAND_LIMITS = {
  // The login page
  /** Then the browser gets another challenge for its offer of passkeys: the server accepts one for five minutes. */
  passkeyOfferMs: 4 * 60_000,
  /** A provider is opened by itself at most once in this time. */
  providerAgainMs: 30_000,
  // Undo
  /** How long a change can be undone by the keys after the page was loaded again. */
  earlierChangesMs: 60 * 60_000,
  /** The changes among which the last one in effect is looked for. */
  earlierChanges: 50,
  // Uploads
  /** So many bytes of a file are compared at a time, so that the page stays usable. */
  comparedPartBytes: MIB,
  // Listings, galleries and the sidebar
  /** The recent files in the sidebar: with more, the folders below would be out of view. */
  recentFilesMax: 5,
  /** The audit records that the details panel shows of one entry. */
  detailsRecordsMax: 5,
  /** The pages of audit records that are searched for them. */
  detailsAuditPagesMax: 5,
  sharePageItems: 100,
  /** The capacity of the largest QR code, in bytes, with error correction level M (ISO/IEC 18004). */
  qrTextMaxBytes: 2331,
  /** After this many pictures that cannot be shown, the folder's icon is shown: further attempts would take long. */
  brokenCoversMax: 6,
  /** Entries of an archive that are shown at first, and with each click. */
  archivePageItems: 200,
  /** The boxes of a map of space; smaller ones could not be told apart. */
  treemapBoxesMax: 30,
  /** The rows of a list of space that are shown at first. */
  spaceRows: 8,
  /** The rows of the trash that are shown at first, and with each click. */
  trashPageItems: 100,
  /** The step of PageUp and PageDown in the trash, in rows. */
  trashPageRows: 10,
  /** The items of the trash that are loaded. */
  trashItemsMax: 10_000,
  /** The time after which the trash is loaded again, if the size of a folder is not known yet. */
  trashSizesMs: 1500,
  /** The items that one request restores or deletes: their numbers are part of its URL. */
  trashIdsMax: 200,
  /** The largest number of pictures whose dates are requested; a larger folder has no groups by day. */
  albumMax: 10_000,
  /** With more days than this, pictures are grouped by month. */
  albumDaysMax: 40,
  /** Days with fewer pictures than this on average would have a row of one or two pictures each. */
  albumPicturesPerDayMin: 3,
  /** Up to this number of days, such short rows do not matter. */
  albumShortDaysMax: 5,

  /** Folders below so many levels of the tree are not indented further, so that space remains for their names. */
  treeIndentsMax: 6,
  /** The time that something dragged is held over a folder until the folder opens. */
  springMs: 700,

  // Search
  /** The time without a keystroke after which the search begins. */
  searchPauseMs: 80,
  /** The further time without a keystroke after which file contents are searched, which costs the server more. */
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
  /** The files that were opened or changed last, while no text is typed. */
  finderRecentMax: 8,
  /** The rows by which the most used result is moved up. So a much better match stays above it. */
  finderLiftMaxRows: 6,

  // Dialogs
  /** The last destinations of moves and copies that are stored, of all users of the browser. */
  storedDestinationsMax: 50,
  /** The shortcuts above the folders of a picker. */
  pickerRecentMax: 5,
  pickerFavouritesMax: 8,
  /** Requests at a time that rename or share several entries. */
  concurrentChanges: 4,
  /** Rows of the preview of new names. */
  newNamesShown: 100,
  /** Names in one message about several failures. */
  namesInMessage: 5,
  /** The largest first number of numbered names. */
  firstNumberMax: 999_999,
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
  chunkSizeDebounceMs: 1500,
  /** The largest picture on this device that is shown while it is uploaded. */
  localPictureMaxBytes: 32 * MIB,

  // What the browser stores
  /** The reading and playback positions; beyond it, the oldest are deleted. */
  storedBookmarksMax: 200,
  /** The paths with a number of uses; beyond it, those that were not opened for the longest time are deleted. */
  storedUsesMax: 300,
  /** When a number of uses reaches this, all are halved, so that old uses count less than new ones. */
  useCountMax: 32,

  // Pictures, music and films
  /** The largest picture that is shown in the original instead of a preview. */
  smallPictureMaxBytes: MIB / 2,
  /**
   * Browsers do not show pictures with more pixels: a decoded one needs 400 MB, and more memory may end the page. The
   * server makes no previews of them.
   */
  pictureMaxPixels: 10_000 * 10_000,
  /** The time that one picture of a slideshow is shown. */
  slideMs: 5000,
  /** The time without use of pointer and keyboard after which the controls of a viewer are hidden (docs/api.md 10.2). */
  viewerIdleMs: 1500,
  /** The step of an arrow key in a media player (docs/api.md 10.2). */
  seekSeconds: 10,
  /** After this playing time, "previous" returns to the beginning of the track instead of the track before. */
  trackRestartSeconds: 3,
  /** The beginning or the end of a text that is too large to be shown as a whole. */
  excerptBytes: MIB,
  /** The bytes that are read from the start of a sound file; most tags with their cover fit into them. */
  soundTagsMaxBytes: MIB / 4,
  /** The position in a shorter recording is not stored. */
  bookmarkedMinSeconds: 60,
  /** The position is stored each time it has moved this far. */
  bookmarkStepSeconds: 5,

  // Shell
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
  /** The time of hovering after which a tooltip appears. */
  tooltipDelayMs: 500,
  /** Within this time after a tooltip was hidden, the next one appears without delay. */
  nextTooltipMs: 400,

  // Texts and tables
  /** The largest text that is compared line by line, or shown in an archive, a share or a quick look. */
  compareMaxBytes: 2 * MIB,
  /** Counting matches stops at this number: the exact number of more is of no use, and counting takes time. */
  matchesCountedMax: 1000,
  /** The first lines of a text, which are enough to find its indentation. */
  indentSampleLines: 500,
  /** The largest size in a formula, against input such as `\rule{1000000em}{1em}`. */
  formulaSizeMaxEm: 50,
  /** The largest number of macro expansions in a formula, against endless recursion. */
  formulaMacrosMax: 1000,
  /**
   * The exact comparison takes time for each pair of lines. If a text has more lines than this between the equal
   * beginning and the equal end, the lines are divided at those that occur once in each text. Its square is the limit
   * of pairs; beyond it, lines are paired by their position.
   */
  exactDiffMaxLines: 1500,
  /** The rows of a comparison that are rendered; the others are counted. */
  diffRowsMax: 2000,
  /** The first rows of a table, which decide the width of a column and whether it has numbers. */
  tableSampleRows: 200,

  // The viewer of pictures
  /** The maximum magnification: of the fitted size, or of the picture's own size if that is larger. */
  pictureScaleMax: 4,
  /** The previous and the next picture, of the current file and of the one before. */
  prefetchedPicturesMax: 4,
  /** The duration of the animation from one picture to the next. */
  pageTurnMs: 180,

  // PDFs
  /** Pictures with more pixels are not drawn. */
  pdfPictureMaxPixels: 64 * MIB,
  /** The largest canvas. Of a larger page, only the visible part is drawn sharply. */
  pdfCanvasMaxPixels: 8 * MIB,
  /** The size of the parts in which the file is requested. */
  pdfRangeBytes: MIB / 4,
  pdfScaleMin: 0.1,
  pdfScaleMax: 10,
  /** Pages are drawn again this long after the last change of the zoom; until then they are scaled. */
  pdfRedrawMs: 300,
  /** Pages that are printed, as pictures of this resolution. */
  pdfPrintedPagesMax: 200,
  pdfPrintedDpi: 150,

  // Books
  /** The largest unpacked book: a small archive can expand to more than a browser's memory. */
  bookUnpackedMaxBytes: 512 * MIB,
  /** Deeper sections of the table of contents are shown at this depth. */
  contentsDepthMax: 8,
  /** The interval at which the reading position is reported. */
  readingPositionMs: 500,

  // Text documents
  /** The largest unpacked document: a small archive can expand to more than a browser's memory. */
  documentUnpackedMaxBytes: 256 * MIB,
  documentFilesMax: 10_000,
  /** All XML files of a text together, because they become objects of the page. */
  textXmlMaxBytes: 32 * MIB,
  /** The elements of a text, because each may become an object of the page. */
  documentElementsMax: 200_000,
  documentDepthMax: 100,
  /** The spaces in a row that one element stands for. */
  documentSpacesMax: 200,
  /** The rows or columns that one cell of a table covers. */
  documentSpanMaxCells: 1000,
  /** The parents of a style; the limit also ends a cycle. */
  styleParentsMax: 20,

  // Spreadsheets
  /** All XML files of a spreadsheet together. A worker reads them, so more is possible than for a text. */
  sheetsXmlMaxBytes: 128 * MIB,
  sheetsMax: 100,
  sheetRowsMax: 50_000,
  sheetColumnsMax: 200,
  /** A text with more lines between its first rules has no properties at its begin. */
  propertyLinesMax: 500,
  /** Lines of a text, and rows of a table or a folder: some hundred pages. */
  printedLinesMax: 20_000,
  /** Characters of a text that is only shown; the colours of so many appear within a blink. */
  colouredMaxChars: 100_000,
  /** More rows that stay visible would leave no room for others. */
  sheetFrozenRowsMax: 5,
  /** The cells of all sheets together. */
  sheetCellsMax: 2_000_000,
} as const
