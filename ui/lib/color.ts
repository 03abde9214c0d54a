/** CSS colours typed by a user. */

/** Whether the browser accepts it as a colour value by itself, without variables of a page. */
export function isColor(text: string): boolean {
  const word = text.trim().toLowerCase()
  return (
    !['inherit', 'initial', 'unset', 'revert', 'revert-layer'].includes(word) &&
    !word.includes('var(') &&
    CSS.supports('color', word)
  )
}

/** The nearest value for a colour picker: `#rrggbb`; mid grey if the text is no colour. */
export function hexOf(color: string): string {
  const canvas = document.createElement('canvas').getContext('2d')
  if (!canvas || color === '') return NEUTRAL
  canvas.fillStyle = NEUTRAL
  canvas.fillStyle = color
  const drawn = String(canvas.fillStyle)
  return /^#[\da-f]{6}$/.test(drawn) ? drawn : NEUTRAL
}

const NEUTRAL = '#808080'
