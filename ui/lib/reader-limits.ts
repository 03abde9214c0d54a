/** The constants of readers and players that load on demand, with names and units. All others are in limits.ts. */

const MIB = 2 ** 20

export const READER_LIMITS = {
  // Texts and tables
  /** Counting matches stops at this number: the exact number of more is of no use, and counting takes time. */
  matchesCountedMax: 1000,
  /** The first lines of a text, which are enough to find its indentation. */
  indentSampleLines: 500,
  /** The largest size in a formula, against input such as `\rule{1000000em}{1em}`. */
  formulaSizeMaxEm: 50,
  /** The largest number of macro expansions in a formula, against endless recursion. */
  formulaMacrosMax: 1000,
  /**
   * The comparison takes time for each pair of lines. With more changed lines than this, lines are paired by their
   * position instead.
   */
  exactDiffMaxLines: 1500,
  /** The rows of a comparison that are rendered; of the others only the number is shown. */
  diffRowsMax: 2000,
  /** The first rows of a table, which decide the width of a column and whether it has numbers. */
  tableSampleRows: 200,

  // Pictures
  /** The maximum magnification: of the fitted size, or of the picture's own size if that is larger. */
  pictureScaleMax: 4,
  /** The previous and the next picture, of the present file and of the one before. */
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
  /** The rendered elements, because each becomes an object of the page. */
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
  /** The cells of all sheets together. */
  sheetCellsMax: 2_000_000,
} as const
