/** Factory settings: what holds before anybody chose anything. */
import { LIMITS } from '#wire/limits.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { GlobalSettings, UserDefaults } from '#wire/settings.ts'

/** What a new user starts with: everything but administration and commands. */
const USER_DEFAULTS: UserDefaults = {
  scope: '/',
  locale: 'en',
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  hideDotfiles: false,
  dateFormat: false,
  sorting: { by: 'name', asc: true },
  aceEditorTheme: '',
  perm: permissionsOf('create', 'rename', 'modify', 'delete', 'share', 'download'),
  commands: [],
}

export const FACTORY_SETTINGS: GlobalSettings = {
  signup: false,
  hideLoginButton: false,
  createUserDir: false,
  minimumPasswordLength: 12,
  userHomeBasePath: '/users',
  defaults: USER_DEFAULTS,
  rules: [],
  branding: {
    name: '',
    disableExternal: false,
    disableUsedPercentage: false,
    files: '',
    theme: '',
    color: '',
  },
  tus: { chunkSize: LIMITS.tusChunkDefaultBytes, retryCount: LIMITS.tusRetryDefault },
  shell: [],
  commands: {},
}
