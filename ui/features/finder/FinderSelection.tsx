import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { HitAction } from './hit-actions.ts'
import './FinderSelection.css'

interface FinderSelectionProps {
  count: number
  actions: readonly HitAction[]
  onRun(action: HitAction): void
  onClear(): void
}

/** The bar of the selected results, with their actions. */
export function FinderSelection({ count, actions, onRun, onClear }: FinderSelectionProps) {
  const { t } = useTranslation()
  return (
    <div className="FinderSelection" role="toolbar" aria-label={t('places.selection')}>
      <strong className="FinderSelection__count" role="status">
        {t('listing.selected', { count, value: formatNumber(count) })}
      </strong>
      {actions.map((action) => (
        <IconButton
          key={action.id}
          icon={action.icon}
          mirror={action.mirror}
          label={action.label}
          {...(action.danger && { tone: 'danger' as const })}
          onClick={() => onRun(action)}
        />
      ))}
      <IconButton icon="x" label={t('actions.clearSelection')} onClick={onClear} />
    </div>
  )
}
