import { useState, useSyncExternalStore } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { AuthCard } from '#ui/features/login/AuthCard.tsx'
import { InviteForm } from '#ui/features/login/InviteForm.tsx'
import { PageLayout } from '#ui/features/page-layout/PageLayout.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import { goTo, LOGIN } from '#ui/lib/page/location.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import { showInvitation } from '#ui/state/administration/invitations.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { usePageTitle } from './use-page-title.ts'

/** `/invite#token`: an invited user chooses a password. The token is in the fragment, which no server logs. */
export function InvitePage() {
  const { t } = useTranslation()
  // Another invitation can be pasted into the address bar: only the fragment changes then.
  const token = useSyncExternalStore(onHashChange, readToken)
  const [attempts, setAttempts] = useState(0)
  const result = useAsync(`${token} ${attempts}`, () =>
    token === '' ? Promise.reject(new Fault('notFound', '')) : showInvitation(token),
  )
  usePageTitle(t('invite.page'))
  if (result.status === 'loading') return <Loading />
  if (result.status === 'failed') {
    if (isFault(result.error, 'notFound')) {
      return (
        <AuthCard title={t('invite.over.title')}>
          <p>{t('invite.over.hint')}</p>
          <Button tone="accent" wide onClick={() => goTo(LOGIN)}>
            {t('login.logIn')}
          </Button>
        </AuthCard>
      )
    }
    const fault = toFault(result.error)
    return (
      <PageLayout top={<TopBar />}>
        <ErrorPanel
          kind={errorKindOf(fault)}
          status={fault.status}
          onRetry={() => setAttempts(attempts + 1)}
        />
      </PageLayout>
    )
  }
  const { username } = result.value
  return (
    <AuthCard title={t('invite.title', { name: username })}>
      <InviteForm key={token} token={token} username={username} />
    </AuthCard>
  )
}

function readToken(): string {
  return location.hash.slice(1)
}

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
