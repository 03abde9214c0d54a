import { Link } from 'wouter'
import { Avatar } from '#ui/components/icons/Avatar.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { USERS } from '#ui/lib/page/location.ts'
import type { User } from '#wire/api/user.ts'
import { SettingsTable, SettingsTableRow } from '../rows/SettingsTable.tsx'
import './UserList.css'

interface UserListProps {
  users: readonly User[]
  /** The ids of users with an open invitation. */
  invited: readonly number[]
}

/** All users, each with a link to their page. */
export function UserList({ users, invited }: UserListProps) {
  const { t } = useTranslation()
  return (
    <SettingsTable
      className="UserList"
      label={t('settings.users.title')}
      columns={[
        { title: t('settings.users.username') },
        { title: t('settings.users.role'), name: 'role' },
        { title: t('settings.users.scope') },
        { title: t('settings.users.edit'), name: 'edit', hidden: true },
      ]}
    >
      {users.map((user) => (
        <UserRow key={user.id} user={user} isInvited={invited.includes(user.id)} />
      ))}
    </SettingsTable>
  )
}

interface UserRowProps {
  user: User
  isInvited: boolean
}

function UserRow({ user: { id, username, perm, scope }, isInvited }: UserRowProps) {
  const { t } = useTranslation()
  return (
    <SettingsTableRow className="UserList__row">
      <th scope="row">
        <span className="UserList__name">
          <Avatar name={username} />
          <bdi>{username}</bdi>
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
