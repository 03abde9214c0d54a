import { useSnapshot } from 'valtio'
import { useWidthResizer } from '#ui/components/hooks/use-width-resizer.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { layout } from '#ui/state/view/layout.ts'
import './SidebarResizer.css'

const WIDTH_MIN_PX = 200
const WIDTH_MAX_PX = 480

/** The edge of the sidebar. */
export function SidebarResizer() {
  const { t } = useTranslation()
  const { sidebarWidth } = useSnapshot(layout)
  const edge = useWidthResizer({
    label: t('sidebar.width'),
    value: sidebarWidth,
    minPx: WIDTH_MIN_PX,
    maxPx: WIDTH_MAX_PX,
    widthOf,
    widthMax: () => WIDTH_MAX_PX,
    onChange(widthPx) {
      layout.sidebarWidth = widthPx
    },
  })
  return <div className="SidebarResizer" {...edge} />
}

function widthOf(edge: HTMLElement): number {
  return edge.closest('.Sidebar')?.getBoundingClientRect().width ?? WIDTH_MIN_PX
}
