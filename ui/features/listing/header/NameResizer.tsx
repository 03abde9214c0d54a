import { useSnapshot } from 'valtio'
import { useWidthResizer } from '#ui/components/hooks/use-width-resizer.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { layout } from '#ui/state/view/layout.ts'
import './NameResizer.css'

/** The minimum width of the name column, in pixels. */
const WIDTH_MIN_PX = 160

/** The handle at the end of the name column. */
export function NameResizer() {
  const { t } = useTranslation()
  const { nameWidth } = useSnapshot(layout)
  const handle = useWidthResizer({
    label: t('listing.nameWidth'),
    value: nameWidth,
    minPx: WIDTH_MIN_PX,
    widthOf,
    widthMax,
    onChange(widthPx) {
      layout.nameWidth = widthPx
    },
  })
  return <div className="NameResizer" {...handle} />
}

function columnOf(handle: HTMLElement): HTMLElement {
  return handle.parentElement ?? handle
}

function widthOf(handle: HTMLElement): number {
  return columnOf(handle).getBoundingClientRect().width
}

/** The largest width of the name column that does not make other columns narrower. */
function widthMax(handle: HTMLElement): number {
  const header = columnOf(handle).parentElement
  if (!header) return WIDTH_MIN_PX
  const widths = getComputedStyle(header).gridTemplateColumns.split(' ').map(Number.parseFloat)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const spare = (widths.at(-1) ?? 0) - 2 * rem
  return widthOf(handle) + Math.max(0, spare)
}
