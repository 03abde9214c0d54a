/** The current local time in a form that a file name can contain: `2026-01-31 09.05.00`. */
export function momentForName(): string {
  // The Swedish locale has this date format; it does not depend on the language of the page.
  return new Date().toLocaleString('sv-SE').replaceAll(':', '.')
}
