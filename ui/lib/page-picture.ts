/** The picture that the server puts into the page of a share (docs/api.md 10.3). */

const ID = 'page-picture'

/** @returns the URL of the picture; undefined if the page has none, or after it was removed */
export function pagePictureUrl(): string | undefined {
  const element = document.getElementById(ID)
  return element instanceof HTMLImageElement ? element.src : undefined
}

/** Whether the picture of the page has this URL and cannot be shown. */
export function isBrokenPagePicture(url: string): boolean {
  const element = document.getElementById(ID)
  if (!(element instanceof HTMLImageElement)) return false
  const isBroken = element.complete && element.naturalWidth === 0
  return isBroken && element.src === new URL(url, location.href).href
}

/** Removes the picture: the page shows its own content now. */
export function removePagePicture(): void {
  document.getElementById(ID)?.remove()
}
