import { Link } from 'wouter'
import { Avatar } from '#ui/components/Avatar.tsx'
import { Badge } from '#ui/components/Badge.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { USERS } from '#ui/lib/location.ts'
import type { User } from '#wire/user.ts'
import './UserList.css'

/** Everybody, each a way to their page. */
export function UserList({ users }: { users: readonly User[] }) {
  const { t } = useTranslation()
  return (
    <table className="UserList" aria-label={t('settings.users.title')}>
      <thead>
        <tr className="UserList__head">
          <th scope="col">{t('settings.users.username')}</th>
          <th scope="col" data-column="role">
            {t('settings.users.role')}
          </th>
          <th scope="col">{t('settings.users.scope')}</th>
          <th scope="col" data-column="edit">
            <span className="visually-hidden">{t('settings.users.edit')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} />
        ))}
      </tbody>
    </table>
  )
}

function UserRow({ user: { id, username, perm, scope } }: { user: User }) {
  const { t } = useTranslation()
  return (
    <tr className="UserList__row">
      <th scope="row">
        <span className="UserList__name">
          <Avatar name={username} />
          <bdi>{username}</bdi>
        </span>
      </th>
      <td data-column="role">
        {perm.admin && <Badge tone="accent">{t('settings.users.admin')}</Badge>}
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
    </tr>
  )
}
