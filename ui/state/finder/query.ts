/**
 * The finder's text in the words of the server. The conditions can be typed in the language of the interface, `typ:bilder`,
 * or in English, `type:image`.
 */
import { t } from '#ui/i18n/i18n.ts'
import { FIND_TYPES, type FindType } from '#ui/lib/entries/find-text.ts'
import { foldText } from '#wire/fold.ts'

/** A word with a colon, of Chinese and Japanese input methods too, and its value. */
const CONDITION = /(^|\s)([^\s:："]+)[:：]("[^"]*"?|\S*)/gu

/** The conditions in the language of the interface. */
export function operatorNames() {
  return {
    type: t('finder.operators.type'),
    in: t('finder.operators.in'),
    before: t('finder.operators.before'),
    after: t('finder.operators.after'),
    larger: t('finder.operators.larger'),
  }
}

/** @returns the text with English conditions; other words stay as they are */
export function toQuery(text: string): string {
  const operators = new Map(
    Object.entries(operatorNames()).map(([operator, name]) => [foldText(name), operator]),
  )
  return text.replace(CONDITION, (condition, space: string, word: string, value: string) => {
    const operator = operators.get(foldText(word))
    if (!operator) return condition
    return `${space}${operator}:${operator === 'type' ? toType(value) : value}`
  })
}

export function hasType(text: string, type: FindType): boolean {
  return conditionsIn(text).some((condition) => toQuery(condition) === `type:${type}`)
}

/** Prepends this type to the text, or removes it if it is there. */
export function toggleType(text: string, type: FindType): string {
  if (!hasType(text, type)) return `${typeCondition(type)} ${text}`
  const isOther = (condition: string) => toQuery(condition) !== `type:${type}`
  return text.replace(CONDITION, (match) => (isOther(match.trim()) ? match : '')).trim()
}

/** The condition of a type in the language of the interface. */
function typeCondition(type: FindType): string {
  const { type: operator } = operatorNames()
  if (operator === 'type') return `type:${type}`
  const label = t(`finder.types.${type}`).toLocaleLowerCase()
  return `${operator}:${/\s/.test(label) ? `"${label}"` : label}`
}

function conditionsIn(text: string): string[] {
  return [...text.matchAll(CONDITION)].map(([match]) => match.trim())
}

/** A type by its name in the interface, or by its English name or the plural of it; any other text is a file extension. */
function toType(value: string): string {
  const label = foldText(value.replaceAll('"', ''))
  const isNamed = (type: FindType) =>
    foldText(t(`finder.types.${type}`)) === label || `${type}s` === label
  return FIND_TYPES.find(isNamed) ?? value
}
