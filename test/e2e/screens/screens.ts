/** The table of all screens: for the screenshots (`shots/`), and for the check of accessibility (`flows/page/looks.spec.ts`). */
import { ACTIVITY_SCREENS } from './activity.ts'
import { ACT_SCREENS } from './acts.ts'
import { ARCHIVE_SCREENS } from './archives.ts'
import { AUTH_SCREENS } from './auth.ts'
import { DETAILS_SCREENS } from './details.ts'
import { FILE_SCREENS } from './files.ts'
import { FINDING_SCREENS } from './finding.ts'
import { FOLDER_SCREENS } from './folders.ts'
import { IDENTITY_SCREENS } from './identity.ts'
import { JOB_SCREENS } from './jobs.ts'
import { QUICK_LOOK_SCREENS } from './quick-look.ts'
import type { Screen } from './screen.ts'
import { SETTINGS_SCREENS } from './settings.ts'
import { SHARING_SCREENS } from './sharing.ts'
import { SHELL_SCREENS } from './shell.ts'
import { SPACE_SCREENS } from './space.ts'
import { TRASH_SCREENS } from './trash.ts'
import { UPLOAD_SCREENS } from './uploads.ts'
import { VERSION_SCREENS } from './versions.ts'

export const SCREENS: readonly Screen[] = [
  ...AUTH_SCREENS,
  ...IDENTITY_SCREENS,
  ...FOLDER_SCREENS,
  ...DETAILS_SCREENS,
  ...QUICK_LOOK_SCREENS,
  ...VERSION_SCREENS,
  ...ACT_SCREENS,
  ...FILE_SCREENS,
  ...ARCHIVE_SCREENS,
  ...UPLOAD_SCREENS,
  ...JOB_SCREENS,
  ...SHARING_SCREENS,
  ...FINDING_SCREENS,
  ...SHELL_SCREENS,
  ...SETTINGS_SCREENS,
  ...SPACE_SCREENS,
  ...TRASH_SCREENS,
  ...ACTIVITY_SCREENS,
]
