/** The picture that the server puts into the page of a share (docs/api.md 10.3). */

const ID = 'page-picture'

/** @returns the URL of the picture; undefined if the page has none, or after it was removed */
export function pagePictureUrl(): string | undefined {
  const element = document.getElementById(ID)
  return element instanceof HTMLImageElement ? element.src : undefined
}

/** Removes the picture: the page shows its own content now. */
export function removePagePicture(): void {
  document.getElementById(ID)?.remove()
}
