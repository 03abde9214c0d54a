import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { AppPasswordList } from '#ui/features/settings/profile/AppPasswordList.tsx'
import { SessionList } from '#ui/features/settings/profile/SessionList.tsx'
import { SettingGroup } from '#ui/features/settings/rows/SettingGroup.tsx'
import { UserList } from '#ui/features/settings/users/UserList.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { filterByName } from '#ui/lib/entries/filter.ts'
import { goTo, USERS } from '#ui/lib/page/location.ts'
import { listAppPasswords } from '#ui/state/administration/app-passwords.ts'
import { listInvitations } from '#ui/state/administration/invitations.ts'
import { listSessions } from '#ui/state/administration/sessions.ts'
import { listUsers } from '#ui/state/administration/users.ts'
import type { User } from '#wire/api/user.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'
import './UsersPage.css'

const loadAllSessions = () => listSessions('all')
const loadAllAppPasswords = () => listAppPasswords('all')

/** `/settings/users`: all users with their sessions and app passwords. */
export function UsersPage() {
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const users = useLoaded(listUsers)
  const sessions = useLoaded(loadAllSessions)
  const appPasswords = useLoaded(loadAllAppPasswords)
  const invitations = useLoaded(listInvitations)
  const named = usersNamed(users.value ?? [], filter)
  const invited = (invitations.value ?? []).map(({ userID }) => userID)
  usePageTitle(t('settings.users.title'))
  return (
    <SettingsLayout
      entry="users"
      fault={users.fault}
      onRetry={users.reload}
      action={
        <Button tone="accent" icon="plus" onClick={() => goTo(`${USERS}/new`)}>
          {t('settings.users.new')}
        </Button>
      }
    >
      {users.value && (
        <>
          <Input
            type="search"
            aria-label={t('listing.filter.label')}
            placeholder={t('listing.filter.label')}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
          <SettingGroup title={t('settings.users.accounts')}>
            {named.length > 0 ? (
              <UserList users={named} invited={invited} />
            ) : (
              <p className="UsersPage__none">{t('activity.nothingFits.title')}</p>
            )}
          </SettingGroup>
        </>
      )}
      {users.value && (
        <SessionList
          title={t('settings.sessions.all.title')}
          hint={t('settings.sessions.all.hint')}
          fault={sessions.fault}
          sessions={sessions.value}
          onEnded={() => void sessions.reload()}
        />
      )}
      {(appPasswords.fault || appPasswords.value?.length) && (
        <AppPasswordList
          fault={appPasswords.fault}
          appPasswords={appPasswords.value}
          onChanged={() => void appPasswords.reload()}
        />
      )}
    </SettingsLayout>
  )
}

/** The users whose names or folders contain the words of a text. */
function usersNamed(users: readonly User[], text: string): readonly User[] {
  const named = users.map((user) => ({ name: `${user.username} ${user.scope}`, user }))
  return filterByName(named, text).map(({ user }) => user)
}
