import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/Button.tsx'
import { Empty } from '#ui/components/Empty.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { SettingGroup } from '#ui/features/settings/SettingGroup.tsx'
import { TrashTable } from '#ui/features/settings/TrashTable.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ask } from '#ui/state/prompts.ts'
import { session } from '#ui/state/session.ts'
import { toastError, toastSuccess } from '#ui/state/toasts.ts'
import { emptyTrash, listTrash, purgeItem, restoreItem } from '#ui/state/trash.ts'
import { permits } from '#wire/permissions.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

/** `/settings/trash`: deleted entries, which can be restored or deleted permanently. */
export function TrashPage() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { value, fault, reload } = useLoaded(listTrash)
  usePageTitle(t('settings.trash.title'))
  const may = (action: 'create' | 'purge' | 'administer') =>
    user !== null && permits(user.perm, action)

  /** Runs an action and shows its success or failure as a message. */
  async function runAction(work: () => Promise<string>): Promise<void> {
    try {
      toastSuccess(await work())
    } catch (error) {
      toastError(error)
    }
    await reload()
  }

  const purge = async (what: { path?: string }, work: () => Promise<void>) => {
    if (!(await ask({ name: 'purge', ...what }))) return
    await runAction(async () => {
      await work()
      return t('settings.trash.purged')
    })
  }

  return (
    <SettingsLayout
      entry="trash"
      fault={fault}
      onRetry={reload}
      action={
        value &&
        value.length > 0 &&
        may('purge') && (
          <Button tone="danger" icon="trash-2" onClick={() => void purge({}, emptyTrash)}>
            {t('settings.trash.empty')}
          </Button>
        )
      }
    >
      {value?.length === 0 && (
        <Empty
          picture={<Icon name="trash-2" />}
          title={t('settings.trash.none.title')}
          hint={t('settings.trash.none.hint')}
        />
      )}
      {value && value.length > 0 && (
        <SettingGroup title={t('settings.trash.list')}>
          <TrashTable
            items={value}
            mayRestore={may('create')}
            mayPurge={({ username }) =>
              may('purge') && (may('administer') || username === user?.username)
            }
            onRestore={(item) =>
              void runAction(async () =>
                t('settings.trash.restored', { path: await restoreItem(item) }),
              )
            }
            onPurge={(item) => void purge({ path: item.path }, () => purgeItem(item))}
          />
        </SettingGroup>
      )}
    </SettingsLayout>
  )
}
