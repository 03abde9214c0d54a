/** Requests of the details panel: who has access to an entry, and its audit records. */
import * as api from '#ui/api/files/access.ts'
import { formatMoment, formatNumber, formatSpan } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { AccessRow, AccessRows } from '#ui/lib/accounts/access-row.ts'
import { filterQuery, NO_FILTER } from '#ui/lib/accounts/activity-filter.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { ACTIVITY } from '#ui/lib/page/location.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { Share } from '#wire/api/share.ts'
import { joinPath, nameOf, parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import type { PersonWithAccess } from '#wire/shapes/access.ts'
import { recordsOf } from '../administration/audit.ts'
import { ask } from '../dialogs/prompts.ts'
import { session } from '../session/session.ts'

interface FileDetails {
  /** @throws Fault forbidden, notFound */
  access(signal: AbortSignal): Promise<AccessRows>
  /** Shows what users may do with the entry, and why; only for administrators. */
  explain: (() => void) | undefined
  /** @throws Fault unavailable */
  activity(signal: AbortSignal): Promise<readonly AuditEntry[]>
  /** The URL of the page with all audit records of the entry. */
  activityHref: string
}

/** @returns the requests for the details of an entry, and the URL of its audit records */
export function detailsOf(entry: Pick<Entry, 'path'>): FileDetails {
  const path = parsePath(entry.path)
  const mayAsk = session.user !== null && permits(session.user.perm, 'administer')
  return {
    async access(signal) {
      const { links: shares, people: users = [], isPartial = false } = await api.read(path, signal)
      return {
        shares: shares.map((share) => shareRow(share, folderAbove(share, path, users))),
        users: users.map(userRow),
        isPartial,
      }
    },
    explain: mayAsk ? () => void ask({ name: 'accessReasons', path }) : undefined,
    activity: (signal) => recordsOf(path, signal),
    activityHref: ACTIVITY + filterQuery({ ...NO_FILTER, path }),
  }
}

/**
 * The shared folder above the entry at `path`. The path of a share begins at the scope of its owner, so both paths are
 * compared in the served tree.
 *
 * @returns undefined if the entry itself is shared, or if the scope of the owner is unknown
 */
function folderAbove(
  share: Share,
  path: TreePath,
  people: readonly PersonWithAccess[],
): TreePath | undefined {
  const { username: owner } = share
  const viewer = session.user?.username
  const isOwn = owner === undefined || owner === viewer
  const scopeOf = (name: string | undefined) => people.find((one) => one.username === name)?.scope
  const [ownerScope, viewerScope] = isOwn ? [ROOT, ROOT] : [scopeOf(owner), scopeOf(viewer)]
  if (ownerScope === undefined || viewerScope === undefined) return undefined
  const shared = joinPath(ownerScope, share.path)
  return shared === joinPath(viewerScope, path) ? undefined : shared
}

function shareRow(share: Share, above: TreePath | undefined): AccessRow {
  const { hash, hasPassword, expire, visits, username } = share
  const facts = [
    above !== undefined && t('details.access.via', { name: nameIn(above) }),
    expire === 0
      ? t('share.permanent')
      : t('share.left', { span: formatSpan(expire - Date.now() / 1000) }),
    t('share.visits', { count: visits, value: formatNumber(visits) }),
    username !== undefined && t('share.by', { name: username }),
  ]
  return {
    key: `share ${hash}`,
    icon: hasPassword ? 'lock' : 'link',
    title: t(`details.access.${hasPassword ? 'password' : 'anyone'}`),
    facts: facts.filter((fact) => fact !== false).join(' · '),
    hint: expire === 0 ? undefined : formatMoment(new Date(expire * 1000)),
  }
}

function userRow({ username, isAdmin, scope, may }: PersonWithAccess): AccessRow {
  const why = isAdmin
    ? t('details.access.admin')
    : scope === ROOT
      ? t('details.access.allFiles')
      : t('details.access.folder', { name: nameIn(scope) })
  return {
    key: `user ${username}`,
    icon: 'user-round',
    title: username,
    facts: `${why} · ${t(`details.access.may.${may}`)}`,
  }
}

function nameIn(path: TreePath): string {
  return shownName(nameOf(path)).text || t('places.home')
}
