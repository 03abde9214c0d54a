/** Reads which cells of ODS are bold, and which rows stay visible (OpenDocument 1.3, part 3, 16 and 3.10). */
import type { ScanPart } from './sheet.ts'

/** The name of each style of cells in bold. */
export type BoldStyles = ReadonlySet<string>

/**
 * @param parts the files with styles: that of the document, then that of its content
 * @param parentsMax the parents of a style that are looked up; the limit also ends a cycle
 */
export function readBoldStyles(
  scan: ScanPart,
  parts: readonly string[],
  parentsMax: number,
): BoldStyles {
  const styles = new Map<string, { parent: string | undefined; isBold: boolean | undefined }>()
  for (const part of parts) {
    let name: string | undefined
    scan(part, (stop) => ({
      open(element, attribute) {
        if (element === 'body') stop()
        if (element === 'style') {
          name = attribute('family') === 'table-cell' ? attribute('name') : undefined
          if (name !== undefined)
            styles.set(name, { parent: attribute('parent-style-name'), isBold: undefined })
        }
        const weight = element === 'text-properties' ? attribute('font-weight') : undefined
        const style = name === undefined ? undefined : styles.get(name)
        if (style && weight !== undefined) style.isBold = isBoldWeight(weight)
      },
      close(element) {
        if (element === 'style') name = undefined
      },
    }))
  }
  return new Set(
    [...styles.keys()].filter((name) => {
      let style = styles.get(name)
      for (let level = 0; level < parentsMax && style?.isBold === undefined; level += 1)
        style = style?.parent === undefined ? undefined : styles.get(style.parent)
      return style?.isBold === true
    }),
  )
}

function isBoldWeight(weight: string): boolean {
  return weight === 'bold' || Number(weight) >= 600
}

/** The mode of a split that is fixed. */
const FROZEN = '2'

/** @returns the number of first rows that stay visible, by the names of the sheets */
export function readFrozenRows(scan: ScanPart, settings: string): ReadonlyMap<string, number> {
  const frozen = new Map<string, number>()
  /** The names of the surrounding entries: views of the document, and the sheets in them. */
  const entries: string[] = []
  let items = new Map<string, string>()
  let item: string | undefined
  scan(settings, () => ({
    open(element, attribute) {
      if (element === 'config-item-map-entry') {
        entries.push(attribute('name') ?? '')
        items = new Map()
      } else if (element === 'config-item') item = attribute('name')
    },
    close(element) {
      if (element === 'config-item') item = undefined
      if (element !== 'config-item-map-entry') return
      const sheet = entries.pop()
      if (sheet && items.get('VerticalSplitMode') === FROZEN)
        frozen.set(sheet, Number(items.get('VerticalSplitPosition')))
      items = new Map()
    },
    text(part) {
      if (item !== undefined) items.set(item, (items.get(item) ?? '') + part)
    },
  }))
  return frozen
}
