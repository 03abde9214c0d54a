/** The title of the window: the screen's, and before it what goes on meanwhile. */

let title = ''
let progress = ''

/** The screen shown is called so. */
export function setPageTitle(text: string): void {
  title = text
  show()
}

/** Something goes on whatever screen is shown, and is so far: `34%`. Empty when it is over. */
export function setTitleProgress(text: string): void {
  progress = text
  show()
}

function show(): void {
  document.title = progress === '' ? title : `${progress} · ${title}`
}
