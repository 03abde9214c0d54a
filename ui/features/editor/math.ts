/** TeX as MathML, which browsers draw by themselves: no pictures, nothing from elsewhere. */
import temml from 'temml'
import 'temml/dist/Temml-Local.css'
import './math-font.css'
import { mapYielding } from '#ui/lib/map-yielding.ts'
import { MATH } from './math-source.ts'

const MATHML = 'http://www.w3.org/1998/Math/MathML'

/** The largest a size in the text may be: `\rule{1000000em}{1em}` is nobody's formula. */
const MAX_SIZE_EM = 50
/** Expansions of macros; a formula that needs more does not end. */
const MAX_EXPAND = 1000

/** Draws each formula of `page` in its place. One that is no TeX stays as it was written. */
export async function typeset(page: Element): Promise<void> {
  await mapYielding([...page.querySelectorAll(`[${MATH}]`)], (source) => {
    const formula = formulaOf(source.textContent, source.getAttribute(MATH) === 'block')
    if (formula) source.replaceWith(formula)
  })
}

/** The formula as elements; undefined for what cannot be read. */
export function formulaOf(tex: string, displayMode: boolean): Element | undefined {
  const holder = document.createElement('span')
  try {
    temml.render(tex, holder, {
      displayMode,
      throwOnError: true,
      // Links, classes and identifiers of the author's are refused.
      trust: false,
      maxSize: [MAX_SIZE_EM, MAX_SIZE_EM],
      maxExpand: MAX_EXPAND,
    })
  } catch {
    return undefined
  }
  const formula = holder.firstElementChild
  return formula && isHarmless(formula) ? formula : undefined
}

/** MathML alone, and nothing in it that leads anywhere or runs. */
function isHarmless(formula: Element): boolean {
  return [formula, ...formula.querySelectorAll('*')].every(
    (element) =>
      element.namespaceURI === MATHML &&
      !element.getAttributeNames().some((name) => /^(?:on|href|src|xlink:|id$)/i.test(name)),
  )
}
