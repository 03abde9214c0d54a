import { useState } from 'react'
import { Loading } from '#ui/components/Loading.tsx'
import { useAsync } from '#ui/components/use-async.ts'
import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { Frame } from '#ui/features/frame/Frame.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { AuthCard } from '#ui/features/login/AuthCard.tsx'
import { InviteForm } from '#ui/features/login/InviteForm.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import { showInvitation } from '#ui/state/invitations.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { usePageTitle } from './use-page-title.ts'

/** `/invite#token`: an invited user chooses a password. The token is in the fragment, which no server logs. */
export function InvitePage() {
  const { t } = useTranslation()
  const [token] = useState(() => location.hash.slice(1))
  const [attempts, setAttempts] = useState(0)
  const result = useAsync(`${attempts}`, () =>
    token === '' ? Promise.reject(new Fault('notFound', '')) : showInvitation(token),
  )
  usePageTitle(t('invite.page'))
  if (result.status === 'loading') return <Loading />
  if (result.status === 'failed') {
    if (isFault(result.error, 'notFound')) return <ErrorPage kind="notFound" />
    const kind = isFault(result.error) ? errorKindOf(result.error) : 'internal'
    return (
      <Frame top={<TopBar />}>
        <ErrorPanel kind={kind} onRetry={() => setAttempts(attempts + 1)} />
      </Frame>
    )
  }
  const { username } = result.value
  return (
    <AuthCard title={t('invite.title', { name: username })}>
      <InviteForm token={token} username={username} />
    </AuthCard>
  )
}
