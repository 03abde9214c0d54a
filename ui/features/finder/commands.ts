/** The commands that the finder lists beside files: available actions and pages. */

import { actions, perform } from '#ui/actions/registry.ts'
import { actionLabel, SURFACES } from '#ui/actions/surfaces.ts'
import type { Action } from '#ui/actions/types.ts'
import { globalSectionTitle } from '#ui/i18n/global-sections.ts'
import { t } from '#ui/i18n/i18n.ts'
import { GLOBAL_SECTIONS, globalSectionUrl } from '#ui/lib/accounts/global-sections.ts'
import { SETTINGS_SCREENS, type SettingsScreen } from '#ui/lib/accounts/settings-screens.ts'
import { filterByName } from '#ui/lib/entries/filter.ts'
import type { IconName } from '#ui/lib/icons.ts'
import { FILES, goTo, SETTINGS, USERS } from '#ui/lib/page/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { activeTheme, chooseTheme, THEME_CHOICES } from '#ui/state/view/theme.ts'
import { permits } from '#wire/permissions.ts'

export interface Command {
  id: string
  group: 'actions' | 'pages' | 'people'
  name: string
  /** Other words by which the command is found. */
  words?: readonly string[]
  icon: IconName
  mirror?: boolean
  keys?: string | undefined
  danger?: boolean
  run(): void
}

const VIEWS: readonly string[] = SURFACES.views.flat()

/** Actions that the finder does not list: the finder itself, and `upload`, which has more specific actions. */
const EXCLUDED: readonly string[] = ['search', 'upload']

/** @returns all commands that are available now: actions, then pages, then themes */
export function commandsFor(context: ActionContext): readonly Command[] {
  const possible = actions.filter((action) => !EXCLUDED.includes(action.id) && action.when(context))
  const ofActions = possible.map((action) => commandOf(action, context))
  return [...ofActions, ...pageCommands(), ...themeCommands()]
}

/** @returns the commands whose labels and words contain every word of `text`; those that begin with it come first */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const start = text.trim().toLocaleLowerCase()
  const startsWithText = ({ name }: Command) => name.toLocaleLowerCase().startsWith(start)
  const named = commands.map((command) => {
    return { name: [command.name, ...(command.words ?? [])].join(' '), command }
  })
  const matching = filterByName(named, text).map(({ command }) => command)
  return start === ''
    ? matching
    : matching.toSorted((a, b) => Number(startsWithText(b)) - Number(startsWithText(a)))
}

function commandOf(action: Action, context: ActionContext): Command {
  const { id, icon, mirror = false, keys, danger = false } = action
  const label = actionLabel(action, context)
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
    ...screens.map(({ name, icon }) => ({
      ...pageCommand(
        t('finder.settings', { screen: t(`settings.${name}.title`) }),
        icon,
        `${SETTINGS}/${name}`,
      ),
      words: wordsOf(name),
    })),
    ...(user && permits(user.perm, 'administer') ? administratorCommands() : []),
  ]
}

/** The sections of the global settings except the first, which its screen shows; and a new user. */
function administratorCommands(): Command[] {
  const [, ...sections] = GLOBAL_SECTIONS
  return [
    ...sections
      .filter((name) => name !== 'commands' || settings.EnableExec)
      .map((name) =>
        pageCommand(
          t('finder.settings', { screen: globalSectionTitle(name) }),
          'sliders-horizontal',
          globalSectionUrl(name),
        ),
      ),
    pageCommand(t('settings.users.new'), 'user-round', `${USERS}/new`),
  ]
}

/** One command for each theme that is not active. */
function themeCommands(): Command[] {
  const others = THEME_CHOICES.filter((theme) => theme !== activeTheme())
  return others.map((theme) => ({
    id: `theme ${theme}`,
    group: 'actions',
    name: t('finder.theme', { name: t(`settings.branding.theme.${theme}`) }),
    icon: 'settings',
    run: () => chooseTheme(theme),
  }))
}

/** The titles of the settings on a screen. */
function wordsOf(screen: SettingsScreen): string[] {
  if (screen === 'profile') {
    return [
      t('settings.password.title'),
      t('settings.sessions.mine.title'),
      t('settings.preferences.title'),
      t('settings.preferences.theme.title'),
      t('settings.branding.theme.light'),
      t('settings.branding.theme.dark'),
    ]
  }
  if (screen === 'global') return [t('settings.branding.title')]
  return screen === 'users' ? [t('settings.users.accounts'), t('settings.permissions.title')] : []
}

function pageCommand(name: string, icon: IconName, url: string): Command {
  return { id: url, group: 'pages', name, icon, run: () => goTo(url) }
}
