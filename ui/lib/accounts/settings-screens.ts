/**
 * The screens of the settings in their order, and who can open them (docs/specification.md 2). A screen with its own page is not
 * in their menu: it is as wide as a folder, and the sidebar leads to it.
 */
import type { PolicyAction } from '#wire/permissions.ts'
import type { IconName } from '../icons.ts'

export const SETTINGS_SCREENS = [
  { name: 'profile', icon: 'user-round', needs: undefined },
  { name: 'shares', icon: 'link', needs: 'share' },
  { name: 'trash', icon: 'trash-2', needs: undefined, hasOwnPage: true },
  { name: 'space', icon: 'hard-drive', needs: undefined, hasOwnPage: true },
  { name: 'activity', icon: 'history', needs: undefined },
  { name: 'global', icon: 'sliders-horizontal', needs: 'administer' },
  { name: 'users', icon: 'users-round', needs: 'administer' },
] as const satisfies readonly {
  name: string
  icon: IconName
  needs: PolicyAction | undefined
  hasOwnPage?: true
}[]

export type SettingsScreen = (typeof SETTINGS_SCREENS)[number]['name']
