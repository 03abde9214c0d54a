/** Styles of OpenDocument as CSS. */

/** The properties of a style, after those of the style that it is derived from. */
export type OdtStyles = ReadonlyMap<string, string>

const LENGTH = /^-?[\d.]+(pt|cm|mm|in|px|%)$/
const COLOR = /^#[\da-f]{3,8}$/i

/** ODF property → CSS property, with the values that are taken over. */
const PROPERTIES: readonly [string, string, RegExp][] = [
  ['fo:font-weight', 'font-weight', /^(bold|normal|\d{3})$/],
  ['fo:font-style', 'font-style', /^(italic|oblique|normal)$/],
  ['fo:font-size', 'font-size', LENGTH],
  ['fo:color', 'color', COLOR],
  ['fo:background-color', 'background-color', COLOR],
  ['fo:text-align', 'text-align', /^(start|end|left|right|center|justify)$/],
  ['fo:text-indent', 'text-indent', LENGTH],
  ['fo:margin-left', 'margin-left', LENGTH],
  ['fo:margin-right', 'margin-right', LENGTH],
  ['fo:margin-top', 'margin-top', LENGTH],
  ['fo:margin-bottom', 'margin-bottom', LENGTH],
  ['fo:font-variant', 'font-variant', /^small-caps$/],
  ['fo:text-transform', 'text-transform', /^(uppercase|lowercase|capitalize)$/],
  ['fo:break-before', 'break-before', /^page$/],
  ['style:vertical-align', 'vertical-align', /^(top|middle|bottom)$/],
]

/** @param documents with `style:style` elements; a later style of a name replaces an earlier one */
export function readStyles(documents: readonly Document[]): OdtStyles {
  const elements = documents.flatMap((one) => [...one.getElementsByTagName('style:style')])
  const byName = new Map(elements.map((one) => [keyOf(one), one]))
  return new Map([...byName].map(([key, style]) => [key, cssOf(style, byName)]))
}

/** @returns the CSS of a style of a family, such as `paragraph` */
export function cssOfStyle(styles: OdtStyles, family: string, name: string | null): string {
  return (name && styles.get(`${family} ${name}`)) || ''
}

const PARENTS_MAX = 20

function cssOf(style: Element, byName: ReadonlyMap<string, Element>): string {
  const chain: Element[] = []
  for (let one: Element | undefined = style; one && chain.length < PARENTS_MAX; ) {
    chain.unshift(one)
    const parent: string | null = one.getAttribute('style:parent-style-name')
    one = parent ? byName.get(`${one.getAttribute('style:family')} ${parent}`) : undefined
  }
  return chain.flatMap((one) => [...one.children].map(declarationsOf)).join('')
}

function declarationsOf(properties: Element): string {
  const known = PROPERTIES.flatMap(([from, to, values]) => {
    const value = properties.getAttribute(from) ?? ''
    return values.test(value) ? [`${to}:${value};`] : []
  })
  return known.join('') + decorationOf(properties) + positionOf(properties) + borderOf(properties)
}

function decorationOf(properties: Element): string {
  const isSet = (name: string) => !['', 'none'].includes(properties.getAttribute(name) ?? '')
  const lines = [
    ...(isSet('style:text-underline-style') ? ['underline'] : []),
    ...(isSet('style:text-line-through-style') ? ['line-through'] : []),
  ]
  return lines.length > 0 ? `text-decoration:${lines.join(' ')};` : ''
}

function positionOf(properties: Element): string {
  const position = properties.getAttribute('style:text-position') ?? ''
  if (/^(super|[1-9])/.test(position)) return 'vertical-align:super;font-size:smaller;'
  return /^(sub|-)/.test(position) ? 'vertical-align:sub;font-size:smaller;' : ''
}

/** The width, style and colour of borders of table cells. */
function borderOf(properties: Element): string {
  const border = /^[\d.]+(pt|cm|mm|in|px) (solid|double|dotted|dashed) #[\da-f]{6}$/i
  return ['border', 'border-top', 'border-right', 'border-bottom', 'border-left']
    .map((name) => [name, properties.getAttribute(`fo:${name}`) ?? ''])
    .flatMap(([name, value]) => (border.test(value ?? '') ? [`${name}:${value};`] : []))
    .join('')
}

function keyOf(style: Element): string {
  return `${style.getAttribute('style:family')} ${style.getAttribute('style:name')}`
}
