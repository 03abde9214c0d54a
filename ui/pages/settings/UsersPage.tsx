import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { AppPasswordList } from '#ui/features/settings/profile/AppPasswordList.tsx'
import { SessionList } from '#ui/features/settings/profile/SessionList.tsx'
import { SettingGroup } from '#ui/features/settings/rows/SettingGroup.tsx'
import { UserList } from '#ui/features/settings/users/UserList.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { filterByName } from '#ui/lib/entries/filter.ts'
import { deviceOf } from '#ui/lib/page/device.ts'
import { goTo, USERS } from '#ui/lib/page/location.ts'
import { listAppPasswords } from '#ui/state/administration/app-passwords.ts'
import { listInvitations } from '#ui/state/administration/invitations.ts'
import { usersWithFactor } from '#ui/state/administration/required-factor.ts'
import { listSessions } from '#ui/state/administration/sessions.ts'
import { listUsers } from '#ui/state/administration/users.ts'
import type { AppPassword } from '#wire/api/app-passwords.ts'
import type { SessionInfo } from '#wire/api/session.ts'
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
  const secured = useLoaded(usersWithFactor)
  const named = matching(users.value ?? [], filter, ({ username, scope }) => [username, scope])
  const foundSessions = sessions.value && matching(sessions.value, filter, wordsOfSession)
  const foundPasswords = appPasswords.value && matching(appPasswords.value, filter, wordsOfPassword)
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
              <UserList users={named} invited={invited} secured={secured.value ?? []} />
            ) : (
              <p className="UsersPage__none">{t('activity.nothingFits.title')}</p>
            )}
          </SettingGroup>
        </>
      )}
      {users.value && (filter === '' || foundSessions?.length !== 0) && (
        <SessionList
          title={t('settings.sessions.all.title')}
          hint={t('settings.sessions.all.hint')}
          fault={sessions.fault}
          sessions={foundSessions}
          onEnded={() => void sessions.reload()}
        />
      )}
      {(appPasswords.fault || (foundPasswords && foundPasswords.length > 0)) && (
        <AppPasswordList
          fault={appPasswords.fault}
          appPasswords={foundPasswords}
          onChanged={() => void appPasswords.reload()}
        />
      )}
    </SettingsLayout>
  )
}

/** The rows whose words contain those of a text. */
function matching<T>(
  rows: readonly T[],
  text: string,
  wordsOf: (row: T) => readonly (string | undefined)[],
): readonly T[] {
  const named = rows.map((row) => ({ name: wordsOf(row).filter(Boolean).join(' '), row }))
  return filterByName(named, text).map(({ row }) => row)
}

function wordsOfSession({ username, address, agent }: SessionInfo) {
  const { browser, system } = deviceOf(agent)
  return [username, address, browser, system]
}

function wordsOfPassword({ username, name, folder }: AppPassword) {
  return [username, name, folder]
}
