import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { SettingFooter, SettingGroup } from '#ui/features/settings/rows/SettingGroup.tsx'
import { TrashTable } from '#ui/features/settings/trash/TrashTable.tsx'
import { UnfinishedList } from '#ui/features/settings/trash/UnfinishedList.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { t, useTranslation } from '#ui/i18n/i18n.ts'
import {
  clearTrash,
  emptyTrash,
  loadOlderItems,
  loadTrash,
  purgeItem,
  reloadTrash,
  restoreItem,
  trash,
} from '#ui/state/changes/trash.ts'
import {
  listUnfinishedUploads,
  stopUnfinishedUpload,
} from '#ui/state/changes/unfinished-uploads.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import type { KeptItem } from '#wire/api/journal.ts'
import type { Fault } from '#wire/fault.ts'
import { permits } from '#wire/permissions.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

/** `/settings/trash`: deleted entries, which can be restored or deleted permanently. */
export function TrashPage() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { items, fault } = useSnapshot(trash)
  usePageTitle(t('settings.trash.title'))

  useEffect(() => {
    void loadTrash()
    return clearTrash
  }, [])

  return (
    <SettingsLayout
      entry="trash"
      // The snapshot of a `ref` is the fault itself.
      fault={items ? undefined : (fault as Fault | undefined)}
      onRetry={() => void loadTrash()}
      action={
        items &&
        items.length > 0 &&
        user !== null &&
        permits(user.perm, 'purge') && (
          <Button tone="danger" icon="trash-2" onClick={() => void purge({}, emptyTrash)}>
            {t('settings.trash.empty')}
          </Button>
        )
      }
    >
      {fault && <Notice tone="danger">{faultText(fault)}</Notice>}
      {items ? <Items items={items as readonly KeptItem[]} /> : <Loading />}
      {user !== null && permits(user.perm, 'administer') && <Unfinished />}
    </SettingsLayout>
  )
}

/** What takes up space beside the trash; nothing if there are no unfinished uploads. */
function Unfinished() {
  const { value: uploads, fault, reload } = useLoaded(listUnfinishedUploads)
  if (fault) return <Notice tone="danger">{faultText(fault)}</Notice>
  if (!uploads || uploads.length === 0) return null
  return (
    <UnfinishedList
      uploads={uploads}
      onStop={({ id }) => void stopUnfinishedUpload(id).catch(toastError).then(reload)}
    />
  )
}

function Items({ items }: { items: readonly KeptItem[] }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { hasMore, isLoading } = useSnapshot(trash)
  const may = (action: 'create' | 'purge' | 'administer') =>
    user !== null && permits(user.perm, action)
  if (items.length === 0) {
    return (
      <Empty
        picture={<Icon name="trash-2" />}
        title={t('settings.trash.none.title')}
        hint={t('settings.trash.none.hint')}
      />
    )
  }
  return (
    <SettingGroup title={t('settings.trash.list')}>
      <TrashTable
        items={items}
        mayRestore={may('create')}
        mayPurge={({ username }) =>
          may('purge') && (may('administer') || username === user?.username)
        }
        onRestore={(item) =>
          void runAction(async () => {
            const { path, shares } = await restoreItem(item)
            const isBeside = path !== item.path
            const text = isBeside ? 'settings.trash.restoredBeside' : 'settings.trash.restored'
            const restored = t(text, { path })
            if (shares === 0) return restored
            return `${restored} · ${t('settings.trash.links', { value: formatNumber(shares) })}`
          })
        }
        onPurge={(item) => void purge({ path: item.path }, () => purgeItem(item))}
      />
      {hasMore && (
        <SettingFooter>
          <Button disabled={isLoading} onClick={() => void loadOlderItems()}>
            {t('activity.more')}
          </Button>
        </SettingFooter>
      )}
    </SettingGroup>
  )
}

/** Deletes permanently, after the user has confirmed it. */
async function purge(what: { path?: string }, work: () => Promise<void>): Promise<void> {
  if (!(await ask({ name: 'purge', ...what }))) return
  await runAction(async () => {
    await work()
    return t('settings.trash.purged')
  })
}

/** Runs an action and shows its success or failure as a message. */
async function runAction(work: () => Promise<string>): Promise<void> {
  try {
    toastSuccess(await work())
  } catch (error) {
    toastError(error)
  }
  await reloadTrash()
}
