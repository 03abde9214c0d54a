import { actionOf, perform } from '#ui/actions/registry.ts'
import { actionLabel, actionsOn } from '#ui/actions/surfaces.ts'
import type { Action } from '#ui/actions/types.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useFolds } from '#ui/components/hooks/use-folds.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { ariaKeys } from '#ui/lib/gestures/keys.ts'
import { WIDE_FOR_LABELS } from '#ui/lib/page/media.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { MoreButton } from './MoreButton.tsx'
import './TopSelectionBar.css'

/**
 * Replaces the breadcrumbs during a selection: the number of selected entries, and the actions for them. If there is
 * little space, first the size is hidden, which the status bar shows too, and then the labels.
 */
export function TopSelectionBar({ context }: { context: ActionContext }) {
  const { t } = useTranslation()
  const { targets } = context
  const clear = actionOf('clearSelection')
  const actions = actionsOn('chosen', context).flat()
  const hasLabels = useMedia(WIDE_FOR_LABELS)
  const content = `${targets.length} ${hasLabels} ${actions.map(({ id }) => id)}`
  const { bar, folds } = useFolds<HTMLDivElement>(content, hasLabels ? 2 : 1, isOverflowing)
  const bytes = sizeOf(targets)
  return (
    <div ref={bar} className="TopSelectionBar" role="toolbar" aria-label={t('places.selection')}>
      <span className="TopSelectionBar__count">
        <strong>
          {t('listing.selected', { count: targets.length, value: formatNumber(targets.length) })}
        </strong>
        {bytes > 0 && folds === 0 && (
          <>
            {' · '}
            <bdi>{formatSize(bytes)}</bdi>
          </>
        )}
      </span>
      {actions.map((action) => (
        <ActionButton
          key={action.id}
          action={action}
          context={context}
          isIconOnly={!hasLabels || folds > 1}
          isSecondHalf={action.id === 'downloadAs'}
        />
      ))}
      <MoreButton surface="chosenMore" icon="ellipsis" />
      <IconButton
        icon={clear.icon}
        label={t(clear.label)}
        data-keys={clear.keys?.[0]}
        onClick={() => perform(clear)}
      />
    </div>
  )
}

/** Whether the content is wider than the bar. This can be measured, because the styles let no child shrink. */
function isOverflowing(bar: HTMLElement): boolean {
  return bar.scrollWidth > bar.clientWidth
}

interface ActionButtonProps {
  action: Action
  context: ActionContext
  /** Whether only the icon is shown. */
  isIconOnly: boolean
  /** Whether it is the narrow half of the button before it, with an arrow. */
  isSecondHalf: boolean
}

function ActionButton({ action, context, isIconOnly, isSecondHalf }: ActionButtonProps) {
  const { t } = useTranslation()
  const [keys] = action.keys ?? []
  const label = actionLabel(action, context)
  return (
    <button
      type="button"
      className="TopSelectionBar__action"
      aria-label={label}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      data-tip={label}
      data-keys={keys}
      data-tone={action.danger ? 'danger' : undefined}
      data-icon-only={isIconOnly || undefined}
      data-second-half={isSecondHalf || undefined}
      onClick={() => perform(action)}
    >
      <Icon name={isSecondHalf ? 'chevron-down' : action.icon} mirror={action.mirror ?? false} />
      {!isIconOnly && !isSecondHalf && t(`brief.${action.id as BriefId}`)}
    </button>
  )
}

/** The actions of this bar have short labels. */
type BriefId = 'download' | 'share' | 'moveTo' | 'copyTo' | 'rename' | 'delete'
