import { actionOf, perform } from '#ui/actions/registry.ts'
import { actionsOn } from '#ui/actions/surfaces.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useLayer } from '#ui/components/overlays/use-layer.ts'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { type ActionContext, useActionContext } from '#ui/state/action-context.ts'
import { clearSelection } from '#ui/state/folder/selection.ts'
import { MoreButton } from './MoreButton.tsx'
import './SelectionBar.css'

/** The bar at the bottom of narrow windows: the selection and its actions. The back button clears the selection. */
export function SelectionBar() {
  const context = useActionContext()
  const isNarrow = useMedia(NARROW)
  if (
    !isNarrow ||
    context.page !== 'folder' ||
    (context.targets.length === 0 && !context.isSelectionMode)
  )
    return null
  return <SelectionToolbar context={context} />
}

function SelectionToolbar({ context }: { context: ActionContext }) {
  const { t } = useTranslation()
  // Opening the menu of an item selects the item. The back button then closes the menu before it clears the selection.
  useLayer(clearSelection, 'bottom')
  const clear = actionOf('clearSelection')
  const bytes = sizeOf(context.targets)
  return (
    <div className="SelectionBar" role="toolbar" aria-label={t('places.selection')}>
      <div className="SelectionBar__head">
        <strong>
          {t('listing.selected', {
            count: context.targets.length,
            value: formatNumber(context.targets.length),
          })}
        </strong>
        {bytes > 0 && <bdi>{formatSize(bytes)}</bdi>}
        <IconButton icon="x" label={t(clear.label)} onClick={() => perform(clear)} />
      </div>
      {context.targets.length > 0 && (
        <div className="SelectionBar__actions">
          {actionsOn('selection', context)
            .flat()
            .map((action) => (
              <button
                key={action.id}
                type="button"
                className="SelectionBar__action"
                data-tone={action.danger ? 'danger' : undefined}
                onClick={() => perform(action)}
              >
                <Icon name={action.icon} mirror={action.mirror ?? false} />
                <span>{t(`brief.${action.id as BriefId}`)}</span>
              </button>
            ))}
          <MoreButton surface="selectionMore">
            {(open) => (
              <button
                type="button"
                className="SelectionBar__action"
                aria-haspopup="menu"
                onClick={(event) => open(event.currentTarget)}
              >
                <Icon name="ellipsis" />
                <span>{t('brief.more')}</span>
              </button>
            )}
          </MoreButton>
        </div>
      )}
    </div>
  )
}

/** The actions of this bar have labels that fit narrow columns. */
type BriefId = 'share' | 'download' | 'moveTo' | 'delete'
