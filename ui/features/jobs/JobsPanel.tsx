import { lazy, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/IconButton.tsx'
import { PanelCard } from '#ui/components/PanelCard.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/media.ts'
import { dismissJobs, followJobs, isActive, jobs } from '#ui/state/jobs.ts'
import { session } from '#ui/state/session.ts'
import type { Job } from '#wire/jobs.ts'
import './JobsPanel.css'

/** Comes with the first job: the listing does not wait for it. */
const JobRow = lazy(async () => ({ default: (await import('./JobRow.tsx')).JobRow }))

/** The card of all that the server does by itself. It is there while it has something to tell. */
export function JobsPanel() {
  const { user } = useSnapshot(session)
  const { shown } = useSnapshot(jobs)
  const id = user?.id

  useEffect(() => (id === undefined ? undefined : followJobs()), [id])

  // What is in the proxy is a `ref`, and so nothing that a snapshot has made read-only.
  return shown.length > 0 ? <Panel shown={shown as readonly Job[]} /> : null
}

function Panel({ shown }: { shown: readonly Job[] }) {
  const { t } = useTranslation()
  const narrow = useMedia(NARROW)
  const [folded, setFolded] = useState(narrow)
  const active = shown.filter(isActive).length
  const failed = shown.filter((job) => job.failed > 0 || job.state === 'failed').length
  const title = () => {
    const counted = (count: number) => ({ count, value: formatNumber(count) })
    if (active > 0) return t('jobs.active', counted(active))
    return failed > 0 ? t('jobs.failed', counted(failed)) : t('jobs.done', counted(shown.length))
  }
  const phase = active > 0 ? 'active' : failed > 0 ? 'ended' : 'done'
  return (
    <PanelCard
      label={t('jobs.label')}
      phase={phase}
      title={title()}
      buttons={
        <>
          <IconButton
            icon={folded ? 'chevron-up' : 'chevron-down'}
            size="s"
            label={t(folded ? 'jobs.unfold' : 'jobs.fold')}
            aria-expanded={!folded}
            onClick={() => setFolded(!folded)}
          />
          {active === 0 && (
            <IconButton
              icon="x"
              size="s"
              label={t('jobs.dismissAll')}
              onClick={() => void dismissJobs(shown)}
            />
          )}
        </>
      }
    >
      {!folded && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="JobsPanel__list" aria-label={t('jobs.list')} tabIndex={0}>
          <ul>
            {shown.map((job) => (
              <li key={job.id}>
                <Suspense>
                  <JobRow job={job} />
                </Suspense>
              </li>
            ))}
          </ul>
        </section>
      )}
    </PanelCard>
  )
}
