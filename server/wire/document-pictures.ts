/** Documents that can contain a picture of themselves: books a cover, office documents a preview of a page. */

const NAMES =
  /\.(?:epub|docx|dotx|xlsx|xltx|pptx|potx|ppsx|odt|ott|ods|ots|odp|otp|odg|pages|numbers|key)$/i

/** Whether a file of this name can contain a picture of itself. */
export function mayHavePicture(name: string): boolean {
  return NAMES.test(name)
}
