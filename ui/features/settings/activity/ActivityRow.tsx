import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '#ui/components/controls/Button.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { actText, isByLink, isPassing, pathOf, refusalText, SIZED } from '#ui/i18n/activity-text.ts'
import { formatTime } from '#ui/i18n/day-format.ts'
import { formatDate, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { t, useTranslation } from '#ui/i18n/i18n.ts'
import { AUDIT_ACTION_ICONS } from '#ui/lib/accounts/audit-action-icons.ts'
import { shownName, shownPath } from '#ui/lib/entries/shown-name.ts'
import { filesUrl, USERS } from '#ui/lib/page/location.ts'
import { canUndo, pathInScope, undoRecord } from '#ui/state/administration/audit.ts'
import type { AuditAction, ListedAuditEntry } from '#wire/api/audit.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import './ActivityRow.css'

interface ActivityRowProps {
  record: ListedAuditEntry
  showsName: boolean
  /** Whether the time is shown as a date, not relative to now. */
  hasExactDate: boolean
}

/** One audit record: action, time, user and address; a refused action has a reason. */
export function ActivityRow({ record, showsName, hasExactDate }: ActivityRowProps) {
  const { t } = useTranslation()
  const refusal = refusalText(record)
  // What undid an undo is a redo.
  const isUndone = record.undoneBy > 0 && record.action !== 'undo'
  return (
    <li
      className="ActivityRow"
      data-undone={isUndone || undefined}
      data-refused={(refusal && !isPassing(record)) || undefined}
    >
      <Icon name={AUDIT_ACTION_ICONS[record.action]} />
      <div className="ActivityRow__text">
        <span className="ActivityRow__summary">
          <span className="ActivityRow__action">{actText(record)}</span>{' '}
          <Subject record={record} isDone={refusal === undefined} />
        </span>
        {refusal && <span className="ActivityRow__refusal">{refusal}</span>}
        <span className="ActivityRow__facts">
          {record.undoneBy > 0 && (
            <strong>{t(isUndone ? 'activity.undone' : 'activity.acts.redo')}</strong>
          )}
          {/* The separators belong to the line, and not to the direction of a part. */}
          {facts().map((fact, index) => (
            <Fragment key={fact}>
              {(index > 0 || record.undoneBy > 0) && ' · '}
              <bdi>{fact}</bdi>
            </Fragment>
          ))}
        </span>
      </div>
      <time
        className="ActivityRow__time"
        dateTime={record.time}
        title={formatFullDate(record.time)}
      >
        {hasExactDate ? formatDate(record.time, true) : formatTime(record.time)}
      </time>
      {canUndo(record) && (
        <Button
          tone="quiet"
          icon="undo-2"
          aria-label={t('activity.undoOf', {
            what: `${t(`activity.acts.${record.action}`)} ${record.path}`,
          })}
          onClick={() => void undoRecord(record)}
        >
          {t('actions.undo')}
        </Button>
      )}
    </li>
  )

  function facts(): string[] {
    const { action, address, app, bytes, times, undoObstacle } = record
    return [
      ...(showsName ? whoOf(record) : []),
      ...(app === '' ? [] : [shownName(app).text]),
      // The terminal has none.
      ...(address === '' ? [] : [address]),
      ...(action === 'upload' && times > 1 ? [t('prompts.info.title', { count: times })] : []),
      ...(bytes > 0 && SIZED.includes(action) ? [formatSize(bytes)] : []),
      ...(undoObstacle === '' ? [] : [t(`activity.notUndoable.${undoObstacle}`)]),
    ]
  }
}

/** The user; for a visitor also the share. */
function whoOf({ action, username, share, sharePath, status }: ListedAuditEntry): string[] {
  if (username !== '') return [username]
  if (!isByLink(action) || share === '') return [t('activity.unknownUser')]
  const name = sharePath && (nameOf(parsePath(sharePath)) || sharePath)
  const link = name
    ? t('activity.linkTo', { name: shownName(name).text })
    : // A link that was not found then may never have existed.
      t(status === 404 ? 'activity.linkUnknown' : 'activity.linkGone', { hash: share })
  return [t('activity.visitor'), link]
}

/** Actions after which another entry, if any, has the path. */
const FREES_PATH: readonly AuditAction[] = ['delete', 'purge', 'rename']

/** The path of the record; it is a link if it leads to the entry. */
function Subject({ record, isDone }: { record: ListedAuditEntry; isDone: boolean }): ReactNode {
  const { t } = useTranslation()
  const { action, to, whom: affectedUser, undoneBy, pathExists, toExists } = record
  const path = pathOf(record)
  if (action === 'changeUser' || action === 'removeUser') {
    const id = nameOf(parsePath(path))
    const content = affectedUser === '' ? t('activity.user', { id }) : <bdi>{affectedUser}</bdi>
    return isDone && action === 'changeUser' ? (
      <Link href={`${USERS}/${id}`}>{content}</Link>
    ) : (
      content
    )
  }
  if (affectedUser !== '') return <bdi>{affectedUser}</bdi>
  if (path === '') return null
  const isPathFree = FREES_PATH.includes(action) && undoneBy === 0
  return (
    <>
      <PathLink
        path={path}
        isLinked={isDone && pathExists && !isPathFree}
        asFolder={action === 'newFolder' || action === 'command'}
      />
      {to !== '' && (
        <>
          <span className="ActivityRow__arrow"> → </span>
          <PathLink path={to} isLinked={isDone && toExists} />
        </>
      )}
    </>
  )
}

interface PathLinkProps {
  path: string
  isLinked: boolean
  asFolder?: boolean
}

function PathLink({ path, isLinked, asFolder = false }: PathLinkProps): ReactNode {
  const scopePath = isLinked ? pathInScope(path) : undefined
  const label = <bdi>{shownPath(path)}</bdi>
  return scopePath ? <Link href={filesUrl(scopePath, asFolder)}>{label}</Link> : label
}
