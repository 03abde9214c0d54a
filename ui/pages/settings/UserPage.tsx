import { useCallback } from 'react'
import { Avatar } from '#ui/components/icons/Avatar.tsx'
import { UserForm } from '#ui/features/settings/users/UserForm.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { userToCreate, userToEdit } from '#ui/state/administration/users.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

/** `/settings/users/{id}`: one user; without an id `/settings/users/new`. */
export function UserPage({ id }: { id?: number }) {
  const { t } = useTranslation()
  const load = useCallback(() => (id === undefined ? userToCreate() : userToEdit(id)), [id])
  const { value, fault, reload, setValue } = useLoaded(load)
  const name = id === undefined ? t('settings.users.new') : (value?.user.username ?? '')
  usePageTitle(name || t('settings.users.title'))

  return (
    <SettingsLayout
      entry="users"
      inner={name}
      title={
        id === undefined ? undefined : (
          <>
            {name && <Avatar name={name} />}
            <bdi>{name}</bdi>
          </>
        )
      }
      fault={fault}
      onRetry={reload}
    >
      {value && <UserForm edited={value} onSaved={(user) => setValue({ ...value, user })} />}
    </SettingsLayout>
  )
}
