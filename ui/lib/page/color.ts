/** CSS colours typed by a user. */

/** Whether a text is a CSS colour, without a variable and without a keyword for all properties such as `inherit`. */
export function isColor(text: string): boolean {
  const word = text.trim().toLowerCase()
  return (
    !['inherit', 'initial', 'unset', 'revert', 'revert-layer'].includes(word) &&
    !word.includes('var(') &&
    CSS.supports('color', word)
  )
}

/** The colour as `#rrggbb`, for a colour picker; mid grey if it has no such form. */
export function hexOf(color: string): string {
  const canvas = document.createElement('canvas').getContext('2d')
  if (!canvas || color === '') return NEUTRAL
  canvas.fillStyle = NEUTRAL
  canvas.fillStyle = color
  const drawn = String(canvas.fillStyle)
  return /^#[\da-f]{6}$/.test(drawn) ? drawn : NEUTRAL
}

const NEUTRAL = '#808080'
