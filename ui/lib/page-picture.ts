/** The picture that the server puts into the page of a share (docs/api.md 10.3). */

const ID = 'page-picture'

/** Its URL, until it is removed. */
export function pagePictureUrl(): string | undefined {
  const element = document.getElementById(ID)
  return element instanceof HTMLImageElement ? element.src : undefined
}

/** Removes it when the page shows its own content. */
export function removePagePicture(): void {
  document.getElementById(ID)?.remove()
}
