/** Lists of OpenDocument 1.3: which are numbered, in which format, and from which number. */

/** How the items of a list are numbered. */
export interface Numbering {
  /** A value of `list-style-type`. */
  type: string
  /** The number of the first item. */
  first: number
}

/** `style:num-format` and the same in CSS. An empty format has no visible numbers. */
const TYPES: Record<string, string> = {
  '1': 'decimal',
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
  '': 'none',
}

export class OdtLists {
  /** For the name of a style: the numbering of each level. A level with bullets has none. */
  readonly #styles = new Map<string, Map<number, Numbering>>()
  /** For a style and level: the number of the last item so far, which a list may continue. */
  readonly #last = new Map<string, number>()
  /** The same for the id of a list; null for all lists without one. */
  readonly #lastOfId = new Map<string | null, number>()

  /** @param documents contain `text:list-style` elements; a later style replaces an earlier one of the same name */
  constructor(documents: readonly Document[]) {
    for (const document of documents) {
      for (const style of document.getElementsByTagName('text:list-style')) {
        this.#styles.set(style.getAttribute('style:name') ?? '', levelsOf(style))
      }
    }
  }

  /**
   * Must be called once for each list, in the order of the text.
   *
   * @returns undefined for a list with bullets
   */
  numberingOf(list: Element): Numbering | undefined {
    const { style, level } = positionOf(list)
    const numbering = this.#styles.get(style)?.get(level)
    if (!numbering) return undefined
    const key = `${level} ${style}`
    const continued = list.getAttribute('text:continue-list')
    const continues = continued !== null || list.getAttribute('text:continue-numbering') === 'true'
    const named = continued === null ? undefined : this.#lastOfId.get(continued)
    const before = continues ? (named ?? this.#last.get(key)) : undefined
    const first = before === undefined ? numbering.first : before + 1
    let next = first
    for (const item of list.children) {
      if (item.tagName === 'text:list-item') next = (firstNumberOf(item) ?? next) + 1
    }
    this.#last.set(key, next - 1)
    this.#lastOfId.set(list.getAttribute('xml:id'), next - 1)
    return { ...numbering, first }
  }
}

function levelsOf(style: Element): Map<number, Numbering> {
  const levels = new Map<number, Numbering>()
  for (const level of style.getElementsByTagName('text:list-level-style-number')) {
    const type = TYPES[level.getAttribute('style:num-format') ?? ''] ?? 'decimal'
    const first = numberOf(level, 'text:start-value') ?? 1
    levels.set(numberOf(level, 'text:level') ?? 1, { type, first })
  }
  return levels
}

/** The number at which an item starts again; undefined if it has the next one. */
export function firstNumberOf(item: Element): number | undefined {
  return numberOf(item, 'text:start-value')
}

/** A list inside of another has the next level, and without a style of its own the style of the other. */
function positionOf(list: Element): { style: string; level: number } {
  let [level, style] = [0, '']
  for (let parent: Element | null = list; parent; parent = parent.parentElement) {
    if (parent.tagName !== 'text:list') continue
    level += 1
    style ||= parent.getAttribute('text:style-name') ?? ''
  }
  return { style, level }
}

function numberOf(element: Element, attribute: string): number | undefined {
  const number = Number(element.getAttribute(attribute) ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}
