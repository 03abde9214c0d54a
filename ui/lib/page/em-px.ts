/** @returns the size of 1rem in CSS pixels, which depends on the font size that the user chose in the browser */
export function emPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
