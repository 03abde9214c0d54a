// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, a grid of boxes can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus and points at cells
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CellKind } from './sections.ts'
import './SectionTitle.css'

interface SectionTitleProps {
  kind: Exclude<CellKind, 'row'>
  top: number
}

/** The heading above the items of one kind. */
export function SectionTitle({ kind, top }: SectionTitleProps) {
  const { t } = useTranslation()
  return (
    <div className="SectionTitle" role="row" style={{ insetBlockStart: top }}>
      <span role="columnheader">{t(`listing.sections.${kind}`)}</span>
    </div>
  )
}
