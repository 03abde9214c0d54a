/** Reads which cells of ODS are bold, and which rows stay visible (OpenDocument 1.3, part 3, 16 and 3.10). */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { scanDocument } from './scan-document.ts'

/** The name of each style of cells in bold. */
export type BoldStyles = ReadonlySet<string>

/** @param files the XML files with styles: those of the document, then those of its content */
export function readBoldStyles(files: readonly (string | undefined)[]): BoldStyles {
  const styles = new Map<string, { parent: string | undefined; isBold: boolean | undefined }>()
  for (const xml of files) {
    if (xml === undefined) continue
    let name: string | undefined
    scanDocument(xml, (stop) => ({
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
      for (
        let level = 0;
        level < ON_DEMAND_LIMITS.styleParentsMax && style?.isBold === undefined;
        level += 1
      )
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
export function readFrozenRows(settings: string | undefined): ReadonlyMap<string, number> {
  const frozen = new Map<string, number>()
  if (settings === undefined) return frozen
  /** The names of the surrounding entries: views of the document, and the sheets in them. */
  const entries: string[] = []
  let items = new Map<string, string>()
  let item: string | undefined
  scanDocument(settings, () => ({
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
