import { effect } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/IconButton.tsx'
import { PanelCard } from '#ui/components/PanelCard.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { formatNumber, formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/media.ts'
import { setTitleProgress } from '#ui/lib/page-title.ts'
import { ask } from '#ui/state/prompts.ts'
import { session } from '#ui/state/session.ts'
import { abortAll } from '#ui/uploads/queue.ts'
import { clearTasks, phase, sentShare, tally, unsettledTasks } from '#ui/uploads/signals.ts'
import { hasUnfinished } from '#ui/uploads/unfinished.ts'
import { UploadList } from './UploadList.tsx'
import { UploadTotal } from './UploadTotal.tsx'

const UploadOffer = lazy(async () => {
  const { UploadOffer: part } = await import('./UploadOffer.tsx')
  return { default: part }
})

/** The card of all that is on its way up, or has stopped. It is there while it has something to tell. */
export function UploadPanel() {
  useSignals()
  useTitleProgress()
  const { user } = useSnapshot(session)
  if (phase.value !== 'idle') return <Panel />
  if (!user || !hasUnfinished(user.id)) return null
  return (
    <Suspense>
      <UploadOffer key={user.id} userId={user.id} />
    </Suspense>
  )
}

/** The title of the window tells how far uploads are, for whoever looks at another tab. */
function useTitleProgress(): void {
  useEffect(() => {
    const stop = effect(() => {
      const share = sentShare.value
      setTitleProgress(share === undefined ? '' : formatPercent(Math.floor(share * 100) / 100))
    })
    return () => {
      stop()
      setTitleProgress('')
    }
  }, [])
}

function Panel() {
  useSignals()
  const { t } = useTranslation()
  const narrow = useMedia(NARROW)
  const [folded, setFolded] = useState(narrow)
  const now = phase.value
  if (now === 'idle') return null
  const isActive = now === 'active'
  return (
    <PanelCard
      label={t('uploads.label')}
      phase={now}
      title={<Title />}
      isQuiet={isActive}
      summary={isActive && <UploadTotal />}
      buttons={
        <>
          <IconButton
            icon={folded ? 'chevron-up' : 'chevron-down'}
            size="s"
            label={t(folded ? 'uploads.unfold' : 'uploads.fold')}
            aria-expanded={!folded}
            onClick={() => setFolded(!folded)}
          />
          <IconButton
            icon="x"
            size="s"
            label={t(isActive ? 'uploads.abortAll' : 'uploads.dismiss')}
            onClick={isActive ? abortAfterQuestion : clearTasks}
          />
        </>
      }
    >
      {!folded && <UploadList />}
    </PanelCard>
  )
}

function Title() {
  useSignals()
  const { t } = useTranslation()
  const { files, begun, done, failed } = tally.value
  const counted = (count: number) => ({ count, value: formatNumber(count) })
  if (phase.value === 'active') {
    if (files === 0) return t('uploads.makingFolders')
    return t('uploads.uploading', { ...counted(files), begun: formatNumber(begun) })
  }
  if (phase.value === 'ended') return t('uploads.failed', counted(failed))
  return done === 0 ? t('uploads.doneFolders') : t('uploads.done', counted(done))
}

async function abortAfterQuestion(): Promise<void> {
  const count = unsettledTasks().filter((task) => task.upload).length
  if (await ask({ name: 'abortUploads', count })) abortAll()
}
