/** Converts TeX to MathML, which browsers render natively, without pictures or requests. */

import temml from 'temml'
import { mapYielding } from '#ui/lib/map-yielding.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import 'temml/dist/Temml-Local.css'
import './math-font.css'
import { MATH } from './math-source.ts'

const MATHML = 'http://www.w3.org/1998/Math/MathML'

/** Renders each formula of `page` in place. Invalid TeX stays as source. */
export async function typeset(page: Element): Promise<void> {
  await mapYielding([...page.querySelectorAll(`[${MATH}]`)], (source) => {
    const formula = formulaOf(source.textContent, source.getAttribute(MATH) === 'block')
    if (formula) source.replaceWith(formula)
  })
}

/** @returns the formula as MathML; undefined if it cannot be parsed or is not harmless */
export function formulaOf(tex: string, displayMode: boolean): Element | undefined {
  const container = document.createElement('span')
  try {
    temml.render(tex, container, {
      displayMode,
      throwOnError: true,
      // Formulas with links, classes or ids of the author are refused.
      trust: false,
      maxSize: [ON_DEMAND_LIMITS.formulaSizeMaxEm, ON_DEMAND_LIMITS.formulaSizeMaxEm],
      maxExpand: ON_DEMAND_LIMITS.formulaMacrosMax,
    })
  } catch {
    return undefined
  }
  const formula = container.firstElementChild
  return formula && isHarmless(formula) ? formula : undefined
}

/** Whether the formula consists only of MathML elements without links, ids and event handlers. */
function isHarmless(formula: Element): boolean {
  return [formula, ...formula.querySelectorAll('*')].every(
    (element) =>
      element.namespaceURI === MATHML &&
      !element.getAttributeNames().some((name) => /^(?:on|href|src|xlink:|id$)/i.test(name)),
  )
}
