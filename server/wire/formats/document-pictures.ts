/** Documents with a picture: one that they contain, one that a program renders, or one of their first cells. */

/** Books contain a cover, office documents often a preview of a page. */
const NAMES =
  /\.(?:epub|docx|dotx|xlsx|xltx|pptx|potx|ppsx|odt|ott|ods|ots|odp|otp|odg|pages|numbers|key)$/i

/** Whether a file of this name can contain a picture of itself. */
export function mayHavePicture(name: string): boolean {
  return NAMES.test(name)
}

const RENDERED_NAMES =
  /\.(?:doc|dot|docx|dotx|rtf|odt|ott|xls|xlt|xlsx|xltx|ods|ots|ppt|pot|pps|pptx|potx|ppsx|odp|otp|odg)$/i

/** Whether an office program can render a file of this name. */
export function isRenderedDocument(name: string): boolean {
  return RENDERED_NAMES.test(name)
}

const SPREADSHEET_NAMES = /\.(?:xlsx|xlsm|xltx|ods|ots)$/i

/** Whether a file of this name is a spreadsheet whose cells can be read. */
export function isSpreadsheet(name: string): boolean {
  return SPREADSHEET_NAMES.test(name)
}

/** Whether a text of this name is a table of separated values. */
export function isTableName(name: string): boolean {
  return /\.(?:csv|tsv)$/i.test(name)
}
