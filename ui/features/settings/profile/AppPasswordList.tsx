import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import {
  pauseAppPassword,
  removeAllAppPasswords,
  removeAppPassword,
} from '#ui/state/administration/app-passwords.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import type { AppPassword } from '#wire/api/app-passwords.ts'
import type { Fault } from '#wire/fault.ts'
import { AccessList } from '../rows/AccessList.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { AppPasswordRow } from './AppPasswordRow.tsx'

interface AppPasswordListProps {
  /** Whether the user can make one here. */
  canAdd?: boolean
  /** Why the list could not be loaded. */
  fault: Fault | undefined
  /** Undefined while they load. */
  appPasswords: readonly AppPassword[] | undefined
  /** Called after a change, to load the list again. */
  onChanged(): void
}

/** What programs and scripts sign in with, instead of the password of the account. */
export function AppPasswordList({
  canAdd = false,
  fault,
  appPasswords,
  onChanged,
}: AppPasswordListProps) {
  const { t } = useTranslation()

  async function add(): Promise<void> {
    const created = await ask({ name: 'newAppPassword' })
    if (!created) return
    onChanged()
    await ask({ name: 'appPassword', created })
  }

  async function pause(appPassword: AppPassword): Promise<void> {
    await pauseAppPassword(appPassword).catch(toastError)
    onChanged()
  }

  async function remove(appPassword: AppPassword): Promise<void> {
    if (!(await ask({ name: 'removeAppPasswords', appPasswords: [appPassword] }))) return
    try {
      await removeAppPassword(appPassword)
      toastSuccess(t('settings.appPasswords.removed'))
    } catch (error) {
      toastError(error)
    }
    onChanged()
  }

  async function removeAll(all: readonly AppPassword[]): Promise<void> {
    try {
      if (await removeAllAppPasswords(all, false)) {
        toastSuccess(t('settings.appPasswords.allRemoved'))
      }
    } catch (error) {
      toastError(error)
    }
    onChanged()
  }

  return (
    <SettingGroup
      title={t('settings.appPasswords.title')}
      hint={t('settings.appPasswords.hint')}
      action={
        canAdd && (
          <>
            {appPasswords && appPasswords.length > 1 && (
              <Button tone="quiet" onClick={() => void removeAll(appPasswords)}>
                {t('settings.appPasswords.removeAll')}
              </Button>
            )}
            <Button tone="quiet" icon="plus" onClick={() => void add()}>
              {t('settings.appPasswords.add')}
            </Button>
          </>
        )
      }
    >
      <AccessList fault={fault} items={appPasswords} none={t('settings.appPasswords.none')}>
        {(appPassword) => (
          <AppPasswordRow
            key={appPassword.id}
            appPassword={appPassword}
            onPause={() => void pause(appPassword)}
            onRemove={() => void remove(appPassword)}
          />
        )}
      </AccessList>
    </SettingGroup>
  )
}
