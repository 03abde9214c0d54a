/** Lets the browser save what `url` answers, without leaving the page when it is a failure. */
export function download(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
