import { actionOf, perform } from '#ui/actions/registry.ts'
import { actionLabel, actionsOn } from '#ui/actions/surfaces.ts'
import type { Action } from '#ui/actions/types.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useFolds } from '#ui/components/hooks/use-folds.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { ariaKeys } from '#ui/lib/gestures/keys.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { nameOf } from '#wire/paths.ts'
import { MoreButton } from './MoreButton.tsx'
import './TopSelectionBar.css'

/**
 * Replaces the breadcrumbs during a selection: the folder, the number of selected entries, and the actions for them. If
 * there is little space, first the size is hidden, which the status bar shows too, then one label after the other, the
 * last one first, and at the end the folder.
 */
export function TopSelectionBar({ context }: { context: ActionContext }) {
  const { t, language } = useTranslation()
  const { targets, path } = context
  const clear = actionOf('clearSelection')
  const actions = actionsOn('chosen', context).flat()
  const labelled = actions.filter(({ id }) => id !== SECOND_HALF)
  const content = `${path} ${targets.length} ${actions.map(({ id }) => id)} ${language}`
  const foldsMax = labelled.length + 2
  const { bar, folds } = useFolds<HTMLDivElement>(content, foldsMax, isOverflowing)
  const withLabels = labelled.slice(0, Math.max(0, labelled.length + 1 - Math.max(folds, 1)))
  const folder = shownName(nameOf(path)).text || t('places.home')
  const bytes = sizeOf(targets)
  return (
    <div ref={bar} className="TopSelectionBar" role="toolbar" aria-label={t('places.selection')}>
      {folds < foldsMax && (
        <span className="TopSelectionBar__folder" title={folder}>
          <bdi>{folder}</bdi>
        </span>
      )}
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
          isIconOnly={!withLabels.includes(action)}
          isSecondHalf={action.id === SECOND_HALF}
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

/** The id of the action that is the narrow half of the button before it. */
const SECOND_HALF = 'downloadAs'

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
