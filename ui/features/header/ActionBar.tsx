import { useSnapshot } from 'valtio'
import { perform } from '#ui/actions/registry.ts'
import { actionLabel, actionsOn, SURFACES, toggleButtons } from '#ui/actions/surfaces.ts'
import type { Action } from '#ui/actions/types.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Segmented } from '#ui/components/controls/Segmented.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys } from '#ui/lib/gestures/keys.ts'
import { type ActionContext, useActionContext } from '#ui/state/action-context.ts'
import { session } from '#ui/state/session/session.ts'
import { MoreButton } from './MoreButton.tsx'
import { SaveButton } from './SaveButton.tsx'
import { UploadButton } from './UploadButton.tsx'
import './ActionBar.css'

/**
 * The available actions as icons; the upload button has a label. Beside a selection only the actions at the end of the
 * bar are shown.
 */
export function ActionBar({ isBesideSelection = false }: { isBesideSelection?: boolean }) {
  const { t } = useTranslation()
  const context = useActionContext()
  const groups = actionsOn(isBesideSelection ? 'barEnd' : 'bar', context)
  return (
    <div
      className="ActionBar"
      role="toolbar"
      aria-label={t('places.actions')}
      data-beside={isBesideSelection || undefined}
    >
      {/* One array, so that React keeps the element of a pressed button while other buttons appear or disappear. */}
      {groups.flatMap((group, index) => [
        index > 0 && <span key={`before ${group[0]?.id}`} className="ActionBar__line" />,
        index === groups.length - 1 && <ViewSwitch key="views" context={context} />,
        ...group.map((action) => (
          <ActionButton key={action.id} action={action} context={context} />
        )),
        // The "more" button is in the place of the buttons that it replaces, so that the other buttons do not move.
        index === 0 && !isBesideSelection && (
          <span key="more" className="ActionBar__more">
            <MoreButton surface="barMore" />
          </span>
        ),
      ])}
      <UploadButton context={context} />
      <SaveButton context={context} />
    </div>
  )
}

/** The choice of the folder's view. */
function ViewSwitch({ context }: { context: ActionContext }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  // Reading the value subscribes this component to it.
  void user?.viewMode
  const options = toggleButtons('views', context)
  return options.length > 0 && <Segmented label={t('places.views')} options={options} />
}

function ActionButton({ action, context }: { action: Action; context: ActionContext }) {
  const [keys] = action.keys ?? []
  const label = actionLabel(action, context)
  return (
    <IconButton
      icon={action.icon}
      mirror={action.mirror ?? false}
      label={label}
      data-keys={keys}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      data-folds={FOLDING.has(action.id) || undefined}
      {...(action.pressed && { pressed: action.pressed(context) })}
      onClick={() => perform(action)}
    />
  )
}

/** The ids of actions that are in the "more" menu if the window is narrow. */
const FOLDING: ReadonlySet<string> = new Set(SURFACES.barMore.flat())
