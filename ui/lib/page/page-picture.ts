/** The picture that the server puts into the page of a share (docs/api.md 10.3). */

const ID = 'page-picture'

/** @returns the URL of the picture; undefined if the page has none, if it is broken, or after it was removed */
export function pagePictureUrl(): string | undefined {
  const picture = pagePicture()
  return picture && !isBroken(picture) ? picture.src : undefined
}

/** Whether the picture of the page has this URL and cannot be shown. */
export function isBrokenPagePicture(url: string): boolean {
  const picture = pagePicture()
  return picture?.src === new URL(url, location.href).href && isBroken(picture)
}

function pagePicture(): HTMLImageElement | undefined {
  const element = document.getElementById(ID)
  return element instanceof HTMLImageElement ? element : undefined
}

function isBroken({ complete, naturalWidth }: HTMLImageElement): boolean {
  return complete && naturalWidth === 0
}

/** Removes the picture: the page shows its own content now. */
export function removePagePicture(): void {
  document.getElementById(ID)?.remove()
}
