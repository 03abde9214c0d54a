import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { ActivityFilters } from '#ui/features/settings/activity/ActivityFilters.tsx'
import { ActivityList } from '#ui/features/settings/activity/ActivityList.tsx'
import { SettingFooter, SettingGroup } from '#ui/features/settings/rows/SettingGroup.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import {
  type ActivityFilter,
  filterQuery,
  NO_FILTER,
  parseFilter,
} from '#ui/lib/accounts/activity-filter.ts'
import { ACTIVITY, goTo } from '#ui/lib/page/location.ts'
import {
  audit,
  clearRecords,
  loadOlderRecords,
  loadRecords,
} from '#ui/state/administration/audit.ts'
import { listUsers } from '#ui/state/administration/users.ts'
import { undoEverything } from '#ui/state/changes/undo-all.ts'
import { session } from '#ui/state/session/session.ts'
import type { ListedAuditEntry } from '#wire/api/audit.ts'
import type { Fault } from '#wire/fault.ts'
import { permits } from '#wire/permissions.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

/** `/settings/activity`: one's own audit records, or for administrators those of all users. */
export function ActivityPage() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { records, fault, isLoading } = useSnapshot(audit)
  const isAdmin = user !== null && permits(user.perm, 'administer')
  const search = useSearch()
  const filter = useMemo(() => parseFilter(search), [search])
  const names = useLoaded(isAdmin ? loadUsernames : loadNothing)
  usePageTitle(t('settings.activity.title'))

  useEffect(() => {
    void loadRecords(filter)
  }, [filter])
  useEffect(() => clearRecords, [])

  return (
    <SettingsLayout
      entry="activity"
      // The snapshot of a `ref` is the fault itself.
      fault={records ? undefined : (fault as Fault | undefined)}
      onRetry={() => void loadRecords(filter)}
      action={
        names.value &&
        records &&
        records.length > 0 && (
          <Button icon="undo-2" onClick={() => void undoAndReload(names.value ?? [], filter)}>
            {t('activity.undoAll')}
          </Button>
        )
      }
    >
      <ActivityFilters
        filter={filter}
        names={names.value}
        onChange={(changes) => applyFilter({ ...filter, ...changes })}
      />
      {fault && <Notice tone="danger">{faultText(fault)}</Notice>}
      {records ? (
        <Records
          records={records as readonly ListedAuditEntry[]}
          filter={filter}
          isLoading={isLoading}
        />
      ) : (
        <Loading />
      )}
    </SettingsLayout>
  )
}

interface RecordsProps {
  records: readonly ListedAuditEntry[]
  filter: ActivityFilter
  isLoading: boolean
}

function Records({ records, filter, isLoading }: RecordsProps) {
  const { t } = useTranslation()
  const { hasMore } = useSnapshot(audit)
  if (records.length === 0) return <NoRecords filter={filter} />
  return (
    <SettingGroup title={t('activity.record')}>
      <ActivityList records={records} />
      {hasMore && (
        <SettingFooter>
          <Button disabled={isLoading} onClick={() => void loadOlderRecords()}>
            {t('activity.more')}
          </Button>
        </SettingFooter>
      )}
    </SettingGroup>
  )
}

/** The message if no record matches the filter, or if there are no records at all. */
function NoRecords({ filter }: { filter: ActivityFilter }) {
  const { t } = useTranslation()
  const all = filterQuery(filter) === ''
  return (
    <Empty
      picture={<Icon name="history" />}
      title={t(all ? 'activity.none.title' : 'activity.nothingFits.title')}
      hint={t(all ? 'activity.none.hint' : 'activity.nothingFits.hint')}
      actions={
        !all && <Button onClick={() => applyFilter(NO_FILTER)}>{t('activity.filter.clear')}</Button>
      }
    />
  )
}

async function undoAndReload(names: readonly string[], filter: ActivityFilter): Promise<void> {
  if (await undoEverything(names, filter.username, audit.records ?? [])) await loadRecords(filter)
}

/** The filter is part of the URL, so that it survives a reload. */
function applyFilter(filter: ActivityFilter): void {
  goTo(ACTIVITY + filterQuery(filter), { replace: true })
}

async function loadUsernames(): Promise<string[] | undefined> {
  return (await listUsers()).map(({ username }) => username)
}

async function loadNothing(): Promise<undefined> {}
