import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { changePreferences, session } from '#ui/state/session/session.ts'
import { PreferenceRows } from '../inputs/PreferenceRows.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { ThemeRow } from '../rows/ThemeRow.tsx'
import { toastUpdated } from '../rows/toast-updated.ts'

/** One's own preferences. Each is saved at once. */
export function ProfilePreferences() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session, { sync: true })
  if (!user) return null

  async function change(changes: Parameters<typeof changePreferences>[0]): Promise<void> {
    try {
      await changePreferences(changes)
      toastUpdated()
    } catch (error) {
      toastError(error)
    }
  }

  return (
    <SettingGroup title={t('settings.preferences.title')}>
      <PreferenceRows value={user} onChange={(changes) => void change(changes)} />
      <ThemeRow />
    </SettingGroup>
  )
}
