import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { USERS } from '#ui/lib/page/location.ts'
import { session } from '#ui/state/session/session.ts'
import { permits } from '#wire/permissions.ts'
import './NoPrograms.css'

/** Says that the user may run no program. An administrator gets a link to where programs are allowed. */
export function NoPrograms() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  if (!user || !permits(user.perm, 'administer')) return t('shell.noPrograms')
  return (
    <>
      {t('settings.user.noCommands')}{' '}
      <Link className="NoPrograms__link" href={`${USERS}/${user.id}`}>
        {t('settings.user.chooseCommands')}
      </Link>
    </>
  )
}
