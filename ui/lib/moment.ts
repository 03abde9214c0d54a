/** This moment as the name of a file can hold it, in the person's own time: `2026-01-31 09.05.00`. */
export function momentForName(): string {
  // Swedish writes dates like this, whatever language the page speaks.
  return new Date().toLocaleString('sv-SE').replaceAll(':', '.')
}
