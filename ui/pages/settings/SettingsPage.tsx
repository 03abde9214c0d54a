import { ActivityPage } from './ActivityPage.tsx'
import { GlobalPage } from './GlobalPage.tsx'
import { ProfilePage } from './ProfilePage.tsx'
import { SharesPage } from './SharesPage.tsx'
import { SpacePage } from './SpacePage.tsx'
import type { Screen } from './screen.ts'
import { TrashPage } from './TrashPage.tsx'
import { UserPage } from './UserPage.tsx'
import { UsersPage } from './UsersPage.tsx'

/** `/settings/…`: all screens of the settings, in one chunk. */
export function SettingsPage({ screen }: { screen: Screen }) {
  switch (screen.name) {
    case 'profile':
      return <ProfilePage />
    case 'shares':
      return <SharesPage />
    case 'trash':
      return <TrashPage />
    case 'space':
      return <SpacePage key={screen.folder} folder={screen.folder} />
    case 'activity':
      return <ActivityPage />
    case 'global':
      return <GlobalPage section={screen.section} />
    case 'users':
      return <UsersPage />
    case 'newUser':
      return <UserPage key="new" />
    case 'user':
      return <UserPage key={screen.id} id={screen.id} />
  }
}
