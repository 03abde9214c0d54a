/** Actions for results: those of a listing, with the results as their targets. */
import { foundContext } from '#ui/actions/found-context.ts'
import { perform } from '#ui/actions/registry.ts'
import { actionLabel, actionsOn } from '#ui/actions/surfaces.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { IconName } from '#ui/lib/icons.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { closeOverlay } from '#ui/state/dialogs/overlay.ts'
import { repeatSearch } from '#ui/state/finder/finder.ts'
import { preselect } from '#ui/state/folder/listing.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'

/** An action of the results, for a bar or a menu. */
export interface HitAction {
  id: string
  label: string
  icon: IconName
  mirror: boolean
  danger: boolean
  startsGroup?: boolean
  run(): Promise<void>
}

/** @returns the actions that are available for these results */
export function hitActions(targets: readonly Entry[], hits: readonly Entry[]): HitAction[] {
  const context = foundContext(targets, hits)
  const [first] = targets
  const available = actionsOn('finder', context)
    .flat()
    .map((action) => ({
      id: action.id,
      label: actionLabel(action, context),
      icon: action.icon,
      mirror: action.mirror ?? false,
      danger: action.danger ?? false,
      async run() {
        await perform(action, context)
        if (CHANGING.includes(action.id)) repeatSearch()
      },
    }))
  if (!first || targets.some(({ path }) => parentPath(path) !== parentPath(first.path))) {
    return available
  }
  return [...available, showInFolder(targets, parentPath(first.path))]
}

/** Actions after which the results are searched again. */
const CHANGING: readonly string[] = ['moveTo', 'copyTo', 'delete']

function showInFolder(targets: readonly Entry[], folder: TreePath): HitAction {
  return {
    id: 'showInFolder',
    label: t('finder.showInFolder'),
    icon: 'folder-open',
    mirror: false,
    danger: false,
    startsGroup: true,
    async run() {
      closeOverlay()
      preselect(targets.map(({ name }) => name))
      goTo(filesUrl(folder, true))
    },
  }
}
