import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { useKeptFocus } from '#ui/components/hooks/use-kept-focus.ts'
import { deviceName } from '#ui/i18n/device-name.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { globalSectionUrl } from '#ui/lib/accounts/global-sections.ts'
import { goTo } from '#ui/lib/page/location.ts'
import { ownMachineUrl, type PasskeyObstacle, passkeyObstacle } from '#ui/lib/page/passkey-page.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { addPasskey, removePasskey, renamePasskey } from '#ui/state/session/passkeys.ts'
import { session } from '#ui/state/session/session.ts'
import type { PasskeyList } from '#wire/api/passkeys.ts'
import type { Fault } from '#wire/fault.ts'
import { permits } from '#wire/permissions.ts'
import { AccessList } from '../rows/AccessList.tsx'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'
import { PasskeyRow } from './PasskeyRow.tsx'

interface PasskeyGroupProps {
  /** Why the list could not be loaded. */
  fault: Fault | undefined
  /** Undefined while they load. */
  list: PasskeyList | undefined
  /** Called after a change, to load the list again. */
  onChanged(): void
}

/** What a public address would remedy. */
const NEEDS_ADDRESS: readonly PasskeyObstacle[] = ['loopback', 'ip', 'insecure', 'unset']

/** One's own passkeys. Where browsers accept none, the group says why, instead of a button that cannot work. */
export function PasskeyGroup({ fault, list, onChanged }: PasskeyGroupProps) {
  const { t } = useTranslation()
  const group = useKeptFocus<HTMLElement>(list)
  const obstacle = list && passkeyObstacle(list.origin)
  const { user } = useSnapshot(session)
  const isAdmin = user !== null && permits(user.perm, 'administer')
  const address = obstacle === 'loopback' ? ownMachineUrl() : (list?.origin ?? '')
  const names = { host: location.hostname, address }
  const host = list?.origin ? new URL(list.origin).hostname : ''

  /** Makes a change, and says that it was made. */
  async function run(work: () => Promise<boolean>, success: string): Promise<void> {
    try {
      if (await work()) toastSuccess(success)
    } catch (error) {
      toastError(error)
    }
    onChanged()
  }

  const device = deviceName(navigator.userAgent)
  return (
    <SettingGroup
      title={t('settings.passkeys.title')}
      hint={t('settings.passkeys.hint')}
      ref={group}
    >
      <AccessList fault={fault} items={list?.passkeys}>
        {(passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            isElsewhere={host !== '' && passkey.host !== host}
            onRename={() => void run(() => renamePasskey(passkey), t('settings.passkeys.renamed'))}
            onRemove={() => void run(() => removePasskey(passkey), t('settings.passkeys.removed'))}
          />
        )}
      </AccessList>
      {list && (
        <SettingFooter hint={obstacle && t(`settings.passkeys.${obstacle}`, names)}>
          {isAdmin && obstacle && NEEDS_ADDRESS.includes(obstacle) && (
            <Button onClick={() => goTo(globalSectionUrl('access'))}>
              {t('settings.access.publicAddress.title')}…
            </Button>
          )}
          {!obstacle && (
            <Button
              onClick={() => void run(() => addPasskey(device), t('settings.passkeys.added'))}
            >
              {t('settings.passkeys.add')}
            </Button>
          )}
        </SettingFooter>
      )}
    </SettingGroup>
  )
}
