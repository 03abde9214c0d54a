import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { Button } from '#ui/components/Button.tsx'
import { Empty } from '#ui/components/Empty.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { Loading } from '#ui/components/Loading.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { ActFilters } from '#ui/features/settings/ActFilters.tsx'
import { ActList } from '#ui/features/settings/ActList.tsx'
import { SettingFooter, SettingGroup } from '#ui/features/settings/SettingGroup.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type ActFilter, EVERY_ACT, filterIn, searchFor } from '#ui/lib/act-filter.ts'
import { ACTIVITY, goTo } from '#ui/lib/location.ts'
import { audit, leaveActs, loadActs, loadOlderActs } from '#ui/state/audit.ts'
import { session } from '#ui/state/session.ts'
import { undoEverything } from '#ui/state/undo-all.ts'
import { listUsers } from '#ui/state/users.ts'
import type { AuditEntry } from '#wire/audit.ts'
import type { Fault } from '#wire/fault.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

/** `/settings/activity`: one's own audit records, or for administrators those of all users. */
export function ActivityPage() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { acts, fault, loading } = useSnapshot(audit)
  const isAdmin = user?.perm.admin ?? false
  const search = useSearch()
  const filter = useMemo(() => filterIn(search), [search])
  const names = useLoaded(isAdmin ? everybody : nobody)
  usePageTitle(t('settings.activity.title'))

  useEffect(() => {
    void loadActs(filter)
  }, [filter])
  useEffect(() => leaveActs, [])

  return (
    <SettingsLayout
      entry="activity"
      // The snapshot of a `ref` is the fault itself.
      fault={acts ? undefined : (fault as Fault | undefined)}
      onRetry={() => void loadActs(filter)}
      action={
        names.value &&
        acts &&
        acts.length > 0 && (
          <Button icon="undo-2" onClick={() => void undoAndReload(names.value ?? [], filter)}>
            {t('activity.undoAll')}
          </Button>
        )
      }
    >
      <ActFilters
        filter={filter}
        names={names.value}
        onChange={(changes) => showOnly({ ...filter, ...changes })}
      />
      {fault && <Notice tone="danger">{faultText(fault)}</Notice>}
      {acts ? (
        <Acts acts={acts as readonly AuditEntry[]} filter={filter} loading={loading} />
      ) : (
        <Loading />
      )}
    </SettingsLayout>
  )
}

interface ActsProps {
  acts: readonly AuditEntry[]
  filter: ActFilter
  loading: boolean
}

function Acts({ acts, filter, loading }: ActsProps) {
  const { t } = useTranslation()
  const { hasMore } = useSnapshot(audit)
  if (acts.length === 0) return <NoActs filter={filter} />
  return (
    <SettingGroup title={t('activity.record')}>
      <ActList label={t('activity.record')} acts={acts} />
      {hasMore && (
        <SettingFooter>
          <Button disabled={loading} onClick={() => void loadOlderActs()}>
            {t('activity.more')}
          </Button>
        </SettingFooter>
      )}
    </SettingGroup>
  )
}

/** There are no matching records, or no records at all. */
function NoActs({ filter }: { filter: ActFilter }) {
  const { t } = useTranslation()
  const all = searchFor(filter) === ''
  return (
    <Empty
      picture={<Icon name="history" />}
      title={t(all ? 'activity.none.title' : 'activity.nothingFits.title')}
      hint={t(all ? 'activity.none.hint' : 'activity.nothingFits.hint')}
      actions={
        !all && <Button onClick={() => showOnly(EVERY_ACT)}>{t('activity.filter.clear')}</Button>
      }
    />
  )
}

async function undoAndReload(names: readonly string[], filter: ActFilter): Promise<void> {
  if (await undoEverything(names, filter.username, audit.acts ?? [])) await loadActs(filter)
}

/** The filter is part of the address, so that it survives a reload. */
function showOnly(filter: ActFilter): void {
  goTo(ACTIVITY + searchFor(filter), { replace: true })
}

async function everybody(): Promise<string[] | undefined> {
  return (await listUsers()).map(({ username }) => username)
}

async function nobody(): Promise<undefined> {}
