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
  /** For the key of a style and a level: the numbering. A level with bullets has none. */
  readonly #numberings = new Map<string, Numbering>()
  /** For the same keys: the number of the last item so far, which a list may continue. */
  readonly #last = new Map<string, number>()

  /** @param documents contain `text:list-style` elements; a later style replaces an earlier one of the same name */
  constructor(documents: readonly Document[]) {
    for (const level of documents.flatMap((document) => [
      ...document.getElementsByTagName('text:list-level-style-number'),
    ])) {
      const style = level.parentElement?.getAttribute('style:name') ?? ''
      const type = TYPES[level.getAttribute('style:num-format') ?? ''] ?? 'decimal'
      const first = numberOf(level, 'text:start-value') ?? 1
      this.#numberings.set(keyOf(style, level.getAttribute('text:level') ?? ''), { type, first })
    }
  }

  /**
   * Must be called once for each list, in the order of the text.
   *
   * @returns undefined for a list with bullets
   */
  numberingOf(list: Element): Numbering | undefined {
    const key = keyOfList(list)
    const numbering = this.#numberings.get(key)
    if (!numbering) return undefined
    const continues =
      list.getAttribute('text:continue-numbering') === 'true' ||
      list.hasAttribute('text:continue-list')
    const first = (continues ? this.#last.get(key) : undefined) ?? numbering.first - 1
    let last = first
    for (const item of list.children) {
      if (item.tagName === 'text:list-item') last = firstNumberOf(item) ?? last + 1
    }
    this.#last.set(key, last)
    return { ...numbering, first: first + 1 }
  }
}

/** The number at which an item starts again; undefined if it has the next one. */
export function firstNumberOf(item: Element): number | undefined {
  return numberOf(item, 'text:start-value')
}

/** A list inside of another has the next level, and without a style of its own the style of the other. */
function keyOfList(list: Element): string {
  let [level, style] = [0, '']
  for (let parent: Element | null = list; parent; parent = parent.parentElement) {
    if (parent.tagName !== 'text:list') continue
    level += 1
    style ||= parent.getAttribute('text:style-name') ?? ''
  }
  return keyOf(style, String(level))
}

function keyOf(style: string, level: string): string {
  return `${level} ${style}`
}

function numberOf(element: Element, attribute: string): number | undefined {
  const number = Number(element.getAttribute(attribute) ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}
