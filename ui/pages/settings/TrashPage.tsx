import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { UnfinishedList } from '#ui/features/settings/unfinished/UnfinishedList.tsx'
import type { TrashActions } from '#ui/features/trash/actions.ts'
import { rowsOf, type TrashRow } from '#ui/features/trash/rows.ts'
import { TrashBar } from '#ui/features/trash/TrashBar.tsx'
import { TrashList } from '#ui/features/trash/TrashList.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { filterByName } from '#ui/lib/entries/filter.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import { clearTrash, emptyTrash, isFull, loadWholeTrash, trash } from '#ui/state/changes/trash.ts'
import {
  listUnfinishedUploads,
  stopUnfinishedUpload,
} from '#ui/state/changes/unfinished-uploads.ts'
import { keepSelection, resetSelection, selection } from '#ui/state/folder/selection.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import type { Sorting } from '#wire/api/entry.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import type { Fault } from '#wire/fault.ts'
import { permits } from '#wire/permissions.ts'
import { usePageTitle } from '../use-page-title.ts'
import { purge, restore } from './trash-actions.ts'
import { useLoaded } from './use-loaded.ts'
import { WideLayout } from './WideLayout.tsx'

const NEWEST_FIRST: Sorting = { by: 'modified', asc: false }

/** `/settings/trash`: deleted entries, which can be restored or deleted permanently. */
export function TrashPage() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { items, fault, hasMore } = useSnapshot(trash)
  const all = hasMore ? undefined : items?.length
  usePageTitle(t('settings.trash.title'))

  useEffect(() => {
    resetSelection()
    void loadWholeTrash()
    return () => {
      clearTrash()
      resetSelection()
    }
  }, [])

  return (
    <WideLayout
      title={t('settings.trash.title')}
      // The snapshot of a `ref` is the fault itself.
      fault={items ? undefined : (fault as Fault | undefined)}
      onRetry={() => void loadWholeTrash()}
      action={
        items &&
        items.length > 0 &&
        user !== null &&
        permits(user.perm, 'purge') && (
          <Button tone="danger" icon="trash-2" onClick={() => void purge({ all }, emptyTrash)}>
            {t('settings.trash.empty')}
          </Button>
        )
      }
    >
      {fault && <Notice tone="danger">{faultText(fault)}</Notice>}
      {items ? <Items items={items as readonly TrashItemInfo[]} /> : <Loading />}
      {user !== null && permits(user.perm, 'administer') && <Unfinished />}
    </WideLayout>
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

function Items({ items }: { items: readonly TrashItemInfo[] }) {
  const { t } = useTranslation()
  const { hasMore } = useSnapshot(trash)
  const { paths } = useSnapshot(selection)
  const [sorting, setSorting] = useState(NEWEST_FIRST)
  const [filter, setFilter] = useState('')
  const actions = useTrashActions()
  const all = useMemo(() => rowsOf(items), [items])
  const rows = useMemo(
    () => sortEntries(filterByName(all, filter), sorting),
    [all, filter, sorting],
  )
  const selected = useMemo(() => rows.filter(({ path }) => paths.has(path)), [rows, paths])
  // Rows that were restored, deleted, or are hidden by the filter, are no longer selected.
  useEffect(() => keepSelection(rows), [rows])

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
    <>
      <TrashBar
        filter={filter}
        onFilter={setFilter}
        rows={rows}
        total={hasMore ? undefined : items.length}
        selected={selected}
        {...actions}
      />
      {isFull() && (
        <Notice>{t('settings.trash.newest', { value: formatNumber(items.length) })}</Notice>
      )}
      {rows.length > 0 ? (
        <TrashList rows={rows} sorting={sorting} onSort={setSorting} {...actions} />
      ) : (
        <Empty
          picture={<Icon name="list-filter" />}
          title={t('listing.filter.none', { text: filter })}
          hint={t('activity.nothingFits.hint')}
          actions={<Button onClick={() => setFilter('')}>{t('listing.filter.showAll')}</Button>}
        />
      )}
    </>
  )
}

function useTrashActions(): TrashActions {
  const { user } = useSnapshot(session)
  const may = (action: 'create' | 'purge' | 'administer') =>
    user !== null && permits(user.perm, action)
  const mayPurge = ({ item }: TrashRow) =>
    may('purge') && (may('administer') || item.username === user?.username)
  return {
    onRestore: may('create') ? (rows) => void restore(rows.map(({ item }) => item)) : undefined,
    purgeOf(rows) {
      const own = rows.filter(mayPurge).map(({ item }) => item)
      if (own.length === 0) return undefined
      return () => void purge({ items: own })
    },
  }
}
