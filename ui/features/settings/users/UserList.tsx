import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { Avatar } from '#ui/components/icons/Avatar.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatDate, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { USERS } from '#ui/lib/page/location.ts'
import { session } from '#ui/state/session/session.ts'
import type { ListedUser } from '#wire/api/user.ts'
import { SettingsTable, SettingsTableRow } from '../rows/SettingsTable.tsx'
import './UserList.css'

interface UserListProps {
  users: readonly ListedUser[]
  /** The ids of users with an open invitation. */
  invited: readonly number[]
  /** The ids of users with a second factor. */
  secured: readonly number[]
}

/** All users, each with a link to their page. */
export function UserList({ users, invited, secured }: UserListProps) {
  const { t } = useTranslation()
  return (
    <SettingsTable
      className="UserList"
      label={t('settings.users.title')}
      columns={[
        { title: t('settings.users.username') },
        { title: t('settings.users.role'), name: 'role' },
        { title: t('settings.users.scope') },
        { title: t('settings.users.lastSignIn'), name: 'seen' },
        { title: t('settings.users.edit'), name: 'edit', hidden: true },
      ]}
    >
      {users.map((user) => (
        <UserRow
          key={user.id}
          user={user}
          isInvited={invited.includes(user.id)}
          isSecured={secured.includes(user.id)}
        />
      ))}
    </SettingsTable>
  )
}

interface UserRowProps {
  user: ListedUser
  isInvited: boolean
  isSecured: boolean
}

function UserRow({ user, isInvited, isSecured }: UserRowProps) {
  const { t } = useTranslation()
  const hasExactDate = useSnapshot(session).user?.dateFormat ?? false
  const { id, username, perm, scope, lastSignIn } = user
  const moment = formatDate(lastSignIn, hasExactDate)
  return (
    <SettingsTableRow className="UserList__row">
      <th scope="row">
        <span className="UserList__name">
          <Avatar name={username} />
          <bdi>{username}</bdi>
          {isSecured && (
            <span
              className="UserList__secured"
              role="img"
              aria-label={t('settings.secondFactor.title')}
              title={t('settings.secondFactor.title')}
            >
              <Icon name="lock-keyhole" />
            </span>
          )}
        </span>
      </th>
      <td data-column="role">
        {perm.admin && <Badge tone="accent">{t('settings.users.admin')}</Badge>}
        {isInvited && <Badge>{t('settings.users.invited')}</Badge>}
      </td>
      <td data-column="scope">
        <bdi dir="ltr" title={scope}>
          {scope}
        </bdi>
      </td>
      <td data-column="seen" title={lastSignIn && formatFullDate(lastSignIn)}>
        {lastSignIn === '' ? (
          t('settings.users.neverSignedIn')
        ) : (
          <>
            <span className="wide-only">{moment}</span>
            <span className="narrow-only">{t('settings.users.lastSignInAt', { moment })}</span>
          </>
        )}
      </td>
      <td data-column="edit">
        <Link
          className="UserList__edit"
          href={`${USERS}/${id}`}
          aria-label={t('settings.users.editOf', { name: username })}
        >
          <Icon name="chevron-right" mirror />
        </Link>
      </td>
    </SettingsTableRow>
  )
}
