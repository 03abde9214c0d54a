import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { MoreButton } from './MoreButton.tsx'
import './Fab.css'

/**
 * The floating action button: the "+" of narrow windows. It opens a menu with the actions of the surface `add`: uploads
 * and new entries. It is hidden during a selection.
 */
export function Fab() {
  const { t } = useTranslation()
  const { targets, isSelectionMode } = useActionContext()
  if (targets.length > 0 || isSelectionMode) return null
  return (
    <MoreButton surface="add">
      {(open) => (
        <button
          type="button"
          className="Fab narrow-only"
          aria-label={t('common.add')}
          aria-haspopup="menu"
          onClick={(event) => open(event.currentTarget)}
        >
          <Icon name="plus" />
        </button>
      )}
    </MoreButton>
  )
}
