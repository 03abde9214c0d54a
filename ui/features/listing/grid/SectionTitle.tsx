// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualized
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and `aria-activedescendant`
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CellKind } from '../layout/sections.ts'
import './SectionTitle.css'

interface SectionTitleProps {
  kind: Exclude<CellKind, 'row'>
  /** Replaces the default title of the kind. */
  title?: string | undefined
  /** The distance from the top of the grid, in pixels. */
  top: number
}

/** The heading above a section of the grid. */
export function SectionTitle({ kind, title, top }: SectionTitleProps) {
  const { t } = useTranslation()
  return (
    <div className="SectionTitle" role="row" style={{ insetBlockStart: top }}>
      <span role="columnheader">{title ?? t(`listing.sections.${kind}`)}</span>
    </div>
  )
}
