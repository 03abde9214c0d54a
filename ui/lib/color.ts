/** CSS colours as people type them. */

/** Whether the browser knows it as a colour of its own, on any page. */
export function isColor(text: string): boolean {
  const word = text.trim().toLowerCase()
  return (
    !['inherit', 'initial', 'unset', 'revert', 'revert-layer'].includes(word) &&
    !word.includes('var(') &&
    CSS.supports('color', word)
  )
}

/** The nearest that a colour picker can show: `#rrggbb`; mid grey for what is no colour. */
export function hexOf(color: string): string {
  const canvas = document.createElement('canvas').getContext('2d')
  if (!canvas || color === '') return NEUTRAL
  canvas.fillStyle = NEUTRAL
  canvas.fillStyle = color
  const drawn = String(canvas.fillStyle)
  return /^#[\da-f]{6}$/.test(drawn) ? drawn : NEUTRAL
}

const NEUTRAL = '#808080'
