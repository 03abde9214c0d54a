/** Downloads `url` in the browser. The page is not left if the request fails. */
export function download(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
