/** The commands that the finder lists beside files: available actions and pages. Pure except for its texts. */

import { actions, perform } from '#ui/actions/registry.ts'
import { actionLabel, SURFACES } from '#ui/actions/surfaces.ts'
import type { Action } from '#ui/actions/types.ts'
import { t } from '#ui/i18n/i18n.ts'
import { filterByName } from '#ui/lib/filter.ts'
import type { IconName } from '#ui/lib/icons.ts'
import { FILES, goTo, SETTINGS } from '#ui/lib/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { session } from '#ui/state/session.ts'
import { permits } from '#wire/permissions.ts'

export interface Command {
  id: string
  group: 'actions' | 'places' | 'people'
  name: string
  icon: IconName
  mirror?: boolean
  keys?: string | undefined
  danger?: boolean
  run(): void
}

/** The screens of the settings, and who can open them (docs/specification.md 2). */
const SETTINGS_SCREENS = [
  { name: 'profile', icon: 'user-round', needs: undefined },
  { name: 'shares', icon: 'link', needs: 'share' },
  { name: 'global', icon: 'sliders-horizontal', needs: 'administer' },
  { name: 'users', icon: 'users-round', needs: 'administer' },
] as const

const VIEWS: readonly string[] = SURFACES.views.flat()

/** The finder itself, and an action that a more specific one replaces. */
const LEFT_OUT: readonly string[] = ['search', 'upload']

/** @returns all commands that are available now, actions before pages */
export function commandsFor(now: ActionContext): readonly Command[] {
  const possible = actions.filter((action) => !LEFT_OUT.includes(action.id) && action.when(now))
  return [...possible.map((action) => commandOf(action, now)), ...pageCommands()]
}

/** @returns the commands whose labels contain every word of `text`; those that begin with it come first */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const start = text.trim().toLocaleLowerCase()
  const begins = ({ name }: Command) => name.toLocaleLowerCase().startsWith(start)
  const matching = filterByName(commands, text)
  return start === ''
    ? matching
    : matching.toSorted((a, b) => Number(begins(b)) - Number(begins(a)))
}

function commandOf(action: Action, now: ActionContext): Command {
  const { id, icon, mirror = false, keys, danger = false } = action
  const label = actionLabel(action, now)
  const name = VIEWS.includes(id) ? t('finder.view', { name: label }) : label
  return {
    id,
    group: 'actions',
    name,
    icon,
    mirror,
    danger,
    keys: keys?.[0],
    run: () => void perform(action),
  }
}

function pageCommands(): Command[] {
  const { user } = session
  const screens = SETTINGS_SCREENS.filter(
    ({ needs }) => !needs || (user && permits(user.perm, needs)),
  )
  return [
    pageCommand(t('places.home'), 'home', `${FILES}/`),
    ...screens.map(({ name, icon }) =>
      pageCommand(
        t('finder.settings', { screen: t(`settings.${name}.title`) }),
        icon,
        `${SETTINGS}/${name}`,
      ),
    ),
  ]
}

function pageCommand(name: string, icon: IconName, url: string): Command {
  return { id: url, group: 'places', name, icon, run: () => goTo(url) }
}
