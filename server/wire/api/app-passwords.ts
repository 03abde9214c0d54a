/** App passwords: what a program or script signs in with, instead of the password of the account (docs/api.md 32). */
import type { Permission } from '../permissions.ts'

/** The permissions that an app password can have. It never administers, and runs no commands. */
export const APP_PERMISSIONS = [
  'create',
  'rename',
  'modify',
  'delete',
  'share',
  'download',
] as const satisfies readonly Permission[]

export type AppPermission = (typeof APP_PERMISSIONS)[number]

export interface AppPassword {
  id: number
  userID: number
  /** Only for administrators who list those of all users. */
  username?: string
  name: string
  /** The program that it is for, as the user has named it; may be empty. */
  application: string
  /** The permissions of the user apply too. */
  permissions: readonly AppPermission[]
  /** The folder that it is limited to, as its user sees it; `/` is the whole folder of the user. */
  folder: string
  /** Whether the folder was moved, deleted or replaced, so that the app password gives no access; absent if not. */
  isLost?: true
  paused: boolean
  /** Times in RFC 3339; empty for never. */
  created: string
  expires: string
  /** When, from which address and with which program (`User-Agent`) it was last used. */
  used: string
  address: string
  agent: string
}

export interface NewAppPassword extends AppPassword {
  /** Returned only once, at its creation. */
  password: string
}
