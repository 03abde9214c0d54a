/** The title of the window: the title of the screen, preceded by the progress of running uploads or jobs. */

let title = ''
let progress = ''

/** Sets the title of the screen. */
export function setPageTitle(text: string): void {
  title = text
  show()
}

/** Sets the progress, which is independent of the screen: `34%`. Empty at the end. */
export function setTitleProgress(text: string): void {
  progress = text
  show()
}

function show(): void {
  document.title = progress === '' ? title : `${progress} · ${title}`
}
