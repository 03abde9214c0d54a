import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { PanelCard } from '#ui/components/feedback/PanelCard.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { dismissJobs, isActive, jobs } from '#ui/state/changes/jobs.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { abortAll } from '#ui/uploads/queue/queue.ts'
import {
  dismissResumableUploads,
  loadResumableUploads,
  resumableUploads,
} from '#ui/uploads/queue/resumable.ts'
import { clearTasks, phase, rows, unsettledTasks } from '#ui/uploads/queue/signals.ts'
import type { Job } from '#wire/api/jobs.ts'
import { ProgressList } from './ProgressList.tsx'
import { ProgressTitle } from './ProgressTitle.tsx'
import { ProgressTotal } from './ProgressTotal.tsx'
import { hasProblems, isStuck, isUnderWay } from './problems.ts'
import { ResumeUploads } from './ResumeUploads.tsx'

/**
 * The card of uploads and jobs.
 *
 * @param props.userId undefined while no user is signed in
 */
export function ProgressCard({ userId }: { userId: number | undefined }) {
  useSignals()
  useResumableUploads(userId)
  const { t } = useTranslation()
  const isNarrow = useMedia(NARROW)
  /** Undefined until the user folds or unfolds the card. */
  const [chosenFolded, setFolded] = useState<boolean>()
  // The proxy contains a `ref`, which a snapshot does not make read-only.
  const shown = useSnapshot(jobs).shown as readonly Job[]

  const uploads = phase.value
  const hasResumable = resumableUploads.value.length > 0
  if (uploads === 'idle' && shown.length === 0 && !hasResumable) return null
  const isUploading = uploads === 'active'
  const active = shown.filter(isActive).length
  const isFolded = chosenFolded ?? (isNarrow && !hasResumable)
  const hasTotal = isUploading || active > 1 || (active > 0 && isFolded)
  return (
    <PanelCard
      label={t('progress.label')}
      phase={phaseOf(shown, hasResumable)}
      title={<ProgressTitle shown={shown} />}
      isQuiet={isUploading}
      summary={hasTotal && <ProgressTotal shown={shown} />}
      buttons={
        <>
          <IconButton
            icon={isFolded ? 'chevron-up' : 'chevron-down'}
            size="s"
            label={t(isFolded ? 'progress.unfold' : 'progress.fold')}
            aria-expanded={!isFolded}
            onClick={() => setFolded(!isFolded)}
          />
          <EndButton shown={shown} />
        </>
      }
    >
      {!isFolded && (
        <>
          {hasResumable && <ResumeUploads isTitled={shown.length === 0} />}
          <ProgressList shown={shown} />
        </>
      )}
    </PanelCard>
  )
}

/** Cancels uploads, or removes finished ones from the card. */
function EndButton({ shown }: { shown: readonly Job[] }) {
  useSignals()
  const { t } = useTranslation()
  if (phase.value === 'active') {
    return (
      <IconButton icon="x" size="s" label={t('uploads.abortAll')} onClick={abortAfterQuestion} />
    )
  }
  const finished = shown.filter((job) => !isActive(job))
  const isAll = finished.length === shown.length
  const isEmpty =
    finished.length === 0 && rows.value.length === 0 && resumableUploads.value.length === 0
  if (!isAll && isEmpty) return null
  const clear = () => {
    clearTasks()
    dismissResumableUploads()
    void dismissJobs(finished)
  }
  return (
    <IconButton
      icon="x"
      size="s"
      label={t(isAll ? 'progress.close' : 'progress.clear')}
      onClick={clear}
    />
  )
}

/** While no upload runs, looks for uploads that an earlier page left unfinished. */
function useResumableUploads(userId: number | undefined): void {
  const isIdle = phase.value === 'idle'
  useEffect(() => {
    if (userId === undefined || !isIdle) return
    void loadResumableUploads(userId)
    return () => {
      resumableUploads.value = []
    }
  }, [userId, isIdle])
}

function phaseOf(shown: readonly Job[], hasResumable: boolean) {
  if (phase.value === 'active' || shown.some(isUnderWay)) return 'active'
  if (shown.some(isStuck)) return 'stopped'
  if (phase.value === 'ended' || shown.some(hasProblems)) return 'ended'
  return hasResumable ? 'stopped' : 'done'
}

async function abortAfterQuestion(): Promise<void> {
  const count = unsettledTasks().filter((task) => task.upload).length
  if (await ask({ name: 'abortUploads', count })) abortAll()
}
