import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '#ui/components/Button.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { formatDate, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ACT_ICONS } from '#ui/lib/act-icons.ts'
import { filesUrl, USERS } from '#ui/lib/location.ts'
import { shownPath } from '#ui/lib/shown-name.ts'
import { canUndo, ownPath, undoAct } from '#ui/state/audit.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import { refusalText, SIZED } from './acts.ts'
import './ActRow.css'

interface ActRowProps {
  act: AuditEntry
  withName: boolean
  /** Whether times are shown as dates. */
  exact: boolean
}

/** One audit record: action, time, user and address; a refused action has a reason. */
export function ActRow({ act, withName, exact }: ActRowProps) {
  const { t } = useTranslation()
  const refusal = refusalText(act)
  return (
    <li
      className="ActRow"
      data-undone={act.undoneBy > 0 || undefined}
      data-refused={refusal ? true : undefined}
    >
      <Icon name={ACT_ICONS[act.action]} />
      <div className="ActRow__words">
        <span className="ActRow__what">
          <span className="ActRow__act">{t(`activity.acts.${act.action}`)}</span>{' '}
          <Subject act={act} done={refusal === undefined} />
        </span>
        <span className="ActRow__facts">
          {act.undoneBy > 0 && <strong>{t('activity.undone')}</strong>}
          {refusal && <strong className="ActRow__refusal">{refusal}</strong>}
          {withName && <bdi>{act.username || t('activity.stranger')}</bdi>}
          <bdi>{act.address}</bdi>
          {act.share !== '' && <span>{t('activity.link', { hash: act.share })}</span>}
          {act.bytes > 0 && SIZED.includes(act.action) && <bdi>{formatSize(act.bytes)}</bdi>}
        </span>
      </div>
      <time className="ActRow__time" dateTime={act.time} title={formatFullDate(act.time)}>
        {formatDate(act.time, exact)}
      </time>
      {canUndo(act) && (
        <Button
          tone="quiet"
          icon="undo-2"
          aria-label={t('activity.undoOf', {
            what: `${t(`activity.acts.${act.action}`)} ${act.path}`,
          })}
          onClick={() => void undoAct(act)}
        >
          {t('actions.undo')}
        </Button>
      )}
    </li>
  )
}

/** The path of the record; it is a link if the entry should still exist. */
function Subject({ act, done }: { act: AuditEntry; done: boolean }): ReactNode {
  const { t } = useTranslation()
  const { action, path, to, whom } = act
  if (action === 'changeUser' || action === 'removeUser') {
    const id = nameOf(parsePath(path))
    const words = whom === '' ? t('activity.user', { id }) : <bdi>{whom}</bdi>
    return done && action === 'changeUser' ? <Link href={`${USERS}/${id}`}>{words}</Link> : words
  }
  if (whom !== '') return <bdi>{whom}</bdi>
  if (path === '') return null
  const isThere = done && action !== 'delete' && action !== 'rename'
  return (
    <>
      <PathLink
        path={path}
        linked={isThere}
        asFolder={action === 'newFolder' || action === 'command'}
      />
      {to !== '' && (
        <>
          <span className="ActRow__arrow"> → </span>
          <PathLink path={to} linked={done} />
        </>
      )}
    </>
  )
}

interface PathLinkProps {
  path: string
  linked: boolean
  asFolder?: boolean
}

function PathLink({ path, linked, asFolder = false }: PathLinkProps): ReactNode {
  const own = linked ? ownPath(path) : undefined
  const words = <bdi>{shownPath(path)}</bdi>
  return own ? <Link href={filesUrl(own, asFolder)}>{words}</Link> : words
}
