import { useSnapshot } from 'valtio'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { SettingGroup } from '#ui/features/settings/rows/SettingGroup.tsx'
import { ShareTable } from '#ui/features/settings/shares/ShareTable.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import { adoptTarget, listShares, removeShare } from '#ui/state/sharing/shares.ts'
import type { Share } from '#wire/api/share.ts'
import { permits } from '#wire/permissions.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

/** `/settings/shares`: one's own shares; for administrators those of all users. */
export function SharesPage() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { value, fault, reload } = useLoaded(listShares)
  usePageTitle(t('settings.shares.title'))

  async function remove(share: Share): Promise<void> {
    if (!(await ask({ name: 'shareDelete', share }))) return
    try {
      await removeShare(share)
      toastSuccess(t('share.deleted'))
    } catch (error) {
      toastError(error)
    }
    await reload()
  }

  async function adopt(share: Share): Promise<void> {
    try {
      await adoptTarget(share)
      toastSuccess(t('share.lost.adopted'))
    } catch (error) {
      toastError(error)
    }
    await reload()
  }

  return (
    <SettingsLayout entry="shares" fault={fault} onRetry={reload}>
      {value?.length === 0 && (
        <Empty
          picture={<Icon name="link" />}
          title={t('settings.shares.none.title')}
          hint={t('settings.shares.none.hint')}
        />
      )}
      {value && value.length > 0 && (
        <SettingGroup title={t('settings.shares.list')}>
          <ShareTable
            shares={value}
            showsOwners={user !== null && permits(user.perm, 'administer')}
            onCopy={(url) => void copy(url, { success: t('share.copied') })}
            onDelete={(share) => void remove(share)}
            onAdopt={(share) => void adopt(share)}
          />
        </SettingGroup>
      )}
    </SettingsLayout>
  )
}
