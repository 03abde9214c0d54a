import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { AppPasswordList } from '#ui/features/settings/profile/AppPasswordList.tsx'
import { LinkedLoginsGroup } from '#ui/features/settings/profile/LinkedLoginsGroup.tsx'
import { PasskeyGroup } from '#ui/features/settings/profile/PasskeyGroup.tsx'
import { PasswordGroup } from '#ui/features/settings/profile/PasswordGroup.tsx'
import { ProfilePreferences } from '#ui/features/settings/profile/ProfilePreferences.tsx'
import { SecondFactorGroup } from '#ui/features/settings/profile/SecondFactorGroup.tsx'
import { SessionList } from '#ui/features/settings/profile/SessionList.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { listAppPasswords, removeAllAppPasswords } from '#ui/state/administration/app-passwords.ts'
import { ownIdentities } from '#ui/state/administration/identity.ts'
import { listSessions } from '#ui/state/administration/sessions.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { ownPasskeys } from '#ui/state/session/passkeys.ts'
import { hasPassword } from '#ui/state/session/reauth.ts'
import { ownSecondFactor } from '#ui/state/session/second-factor.ts'
import { session } from '#ui/state/session/session.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

const loadOwnSessions = () => listSessions('mine')
const loadOwnAppPasswords = () => listAppPasswords('mine')

/** `/settings/profile`: one's own preferences, password, passkeys, second factor, app passwords and sessions. */
export function ProfilePage() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const sessions = useLoaded(loadOwnSessions)
  const secondFactor = useLoaded(ownSecondFactor)
  const passkeys = useLoaded(ownPasskeys)
  const identities = useLoaded(ownIdentities)
  const appPasswords = useLoaded(loadOwnAppPasswords)
  usePageTitle(t('settings.profile.title'))
  const [reloadFactor, reloadPasskeys] = [secondFactor.reload, passkeys.reload]

  // An administrator may have removed the factors while another window was in front.
  useEffect(() => {
    const reload = () => {
      void reloadFactor()
      void reloadPasskeys()
    }
    window.addEventListener('focus', reload)
    return () => window.removeEventListener('focus', reload)
  }, [reloadFactor, reloadPasskeys])

  /** All sessions have ended, and app passwords have not: that is offered, for the case that others know one. */
  async function passwordChanged(): Promise<void> {
    void sessions.reload()
    const own = appPasswords.value ?? []
    if (own.length === 0) return
    try {
      if (await removeAllAppPasswords(own, true)) {
        toastSuccess(t('settings.appPasswords.allRemoved'))
      }
    } catch (error) {
      toastError(error)
    }
    void appPasswords.reload()
  }

  return (
    <SettingsLayout entry="profile">
      <ProfilePreferences />
      {!user?.lockPassword && <PasswordGroup onChanged={() => void passwordChanged()} />}
      {hasPassword() && (
        <>
          <PasskeyGroup
            fault={passkeys.fault}
            list={passkeys.value}
            onChanged={() => {
              void passkeys.reload()
              void secondFactor.reload()
            }}
          />
          <SecondFactorGroup
            secondFactor={secondFactor.value}
            onChanged={() => void secondFactor.reload()}
          />
        </>
      )}
      {hasPassword() && identities.value && (
        <LinkedLoginsGroup {...identities.value} onChanged={identities.reload} />
      )}
      <AppPasswordList
        canAdd
        fault={appPasswords.fault}
        appPasswords={appPasswords.value}
        onChanged={() => void appPasswords.reload()}
      />
      <SessionList
        title={t('settings.sessions.mine.title')}
        hint={t('settings.sessions.mine.hint')}
        fault={sessions.fault}
        sessions={sessions.value}
        onEnded={() => void sessions.reload()}
      />
    </SettingsLayout>
  )
}
