/** Styles of OpenDocument as CSS. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

/**
 * CSS declarations of each style; the key is its family and its name. The declarations of parent styles are first, so
 * that the style overrides them.
 */
export type OdtStyles = ReadonlyMap<string, string>

const LENGTH = /^-?[\d.]+(pt|cm|mm|in|px|%)$/
const COLOR = /^#[\da-f]{3,8}$/i

/** ODF property, CSS property, and the accepted values. */
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

/** @param documents contain `style:style` elements; a later style replaces an earlier one of the same name */
export function readStyles(documents: readonly Document[]): OdtStyles {
  const elements = documents.flatMap((document) => [
    ...document.getElementsByTagName('style:style'),
  ])
  const byName = new Map(elements.map((style) => [ownKeyOf(style), style]))
  return new Map([...byName].map(([key, style]) => [key, cssOf(style, byName)]))
}

/** @returns the CSS of a named style; empty if there is none. `family` is for example `paragraph`. */
export function cssOfStyle(styles: OdtStyles, family: string, name: string | null): string {
  return (name && styles.get(keyOf(family, name))) || ''
}

function cssOf(style: Element, byName: ReadonlyMap<string, Element>): string {
  const chain: Element[] = []
  let current: Element | undefined = style
  while (current && chain.length < ON_DEMAND_LIMITS.styleParentsMax) {
    chain.unshift(current)
    const parent: string | null = current.getAttribute('style:parent-style-name')
    current = parent ? byName.get(keyOf(current.getAttribute('style:family'), parent)) : undefined
  }
  return chain.flatMap((element) => [...element.children].map(declarationsOf)).join('')
}

function declarationsOf(properties: Element): string {
  const declarations = PROPERTIES.flatMap(([from, to, values]) => {
    const value = properties.getAttribute(from) ?? ''
    return values.test(value) ? [`${to}:${value};`] : []
  })
  return (
    declarations.join('') +
    decorationOf(properties) +
    superOrSubscriptOf(properties) +
    borderOf(properties)
  )
}

function decorationOf(properties: Element): string {
  const isSet = (name: string) => !['', 'none'].includes(properties.getAttribute(name) ?? '')
  const lines = [
    ...(isSet('style:text-underline-style') ? ['underline'] : []),
    ...(isSet('style:text-line-through-style') ? ['line-through'] : []),
  ]
  return lines.length > 0 ? `text-decoration:${lines.join(' ')};` : ''
}

function superOrSubscriptOf(properties: Element): string {
  const position = properties.getAttribute('style:text-position') ?? ''
  if (/^(super|[1-9])/.test(position)) return 'vertical-align:super;font-size:smaller;'
  return /^(sub|-)/.test(position) ? 'vertical-align:sub;font-size:smaller;' : ''
}

/** The width, style and colour of borders, of table cells and paragraphs. */
function borderOf(properties: Element): string {
  const border = /^[\d.]+(pt|cm|mm|in|px) (solid|double|dotted|dashed) #[\da-f]{6}$/i
  return ['border', 'border-top', 'border-right', 'border-bottom', 'border-left']
    .map((name) => [name, properties.getAttribute(`fo:${name}`) ?? ''])
    .flatMap(([name, value]) => (border.test(value ?? '') ? [`${name}:${value};`] : []))
    .join('')
}

function ownKeyOf(style: Element): string {
  return keyOf(style.getAttribute('style:family'), style.getAttribute('style:name') ?? '')
}

function keyOf(family: string | null, name: string): string {
  return `${family} ${name}`
}
