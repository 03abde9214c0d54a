import { useSignals } from '@preact/signals-react/runtime'
import { formatNumber } from '#ui/i18n/format.ts'
import { t, useTranslation } from '#ui/i18n/i18n.ts'
import { resumableUploads } from '#ui/uploads/queue/resumable.ts'
import { phase, totals } from '#ui/uploads/queue/signals.ts'
import type { Job } from '#wire/api/jobs.ts'
import { hasProblems, isUnderWay } from './problems.ts'

/** Uploads and jobs in one line. A leaf component: only it renders with each update. */
export function ProgressTitle({ shown }: { shown: readonly Job[] }) {
  useSignals()
  useTranslation()
  const active = shown.filter(isUnderWay).length
  if (phase.value === 'active' || active > 0) return activeTitle(active)
  return joined(uploadsTitle(), jobsTitle(shown))
}

/** The title while uploads or jobs run; finished ones only have rows. */
function activeTitle(jobs: number): string {
  const { files, started, left } = totals.value
  const running = jobs > 0 && t('jobs.active', counted(jobs))
  if (phase.value !== 'active') return joined(running)
  if (files === 0) return joined(t('uploads.makingFolders'), running)
  if (!running) return t('uploads.uploading', { ...counted(files), begun: formatNumber(started) })
  const uploads = t('progress.uploads', counted(left))
  return joined(uploads, t('progress.jobs', counted(jobs)))
}

function uploadsTitle(): string | false {
  const { done, failed, failedFolders } = totals.value
  const stopped = resumableUploads.value.length
  if (stopped > 0) return t('uploads.offer.title', counted(stopped))
  if (phase.value === 'idle') return false
  if (phase.value === 'ended') {
    return t(failedFolders > 0 ? 'uploads.failedItems' : 'uploads.failed', counted(failed))
  }
  return done === 0 ? t('uploads.doneFolders') : t('uploads.done', counted(done))
}

function jobsTitle(shown: readonly Job[]): string | false {
  const failed = shown.filter(hasProblems).length
  if (failed > 0) return t('jobs.failed', counted(failed))
  return shown.length > 0 && t('jobs.done', counted(shown.length))
}

/** Joins one or two texts. */
function joined(...texts: readonly (string | false)[]): string {
  const [first = '', second] = texts.filter((text) => text !== false)
  return second === undefined ? first : t('progress.both', { first, second })
}

function counted(count: number) {
  return { count, value: formatNumber(count) }
}
