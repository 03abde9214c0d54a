import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { ProgressBar } from '#ui/components/feedback/ProgressBar.tsx'
import { Icon, type IconName } from '#ui/components/icons/Icon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { storedFault, storedFaultText, trashBytesOf } from '#ui/i18n/faults.ts'
import { formatNumber, formatSize, formatTimeLeft } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { TRASH } from '#ui/lib/page/location.ts'
import { controlJob, dismissJobs, isActive } from '#ui/state/changes/jobs.ts'
import { session } from '#ui/state/session/session.ts'
import type { Job, JobKind } from '#wire/api/jobs.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import { JobProblems } from './JobProblems.tsx'
import './JobRow.css'

const ICON: Record<JobKind, IconName> = {
  copy: 'copy',
  move: 'folder-input',
  delete: 'trash-2',
  extract: 'archive',
  archive: 'archive',
  sums: 'file-text',
  verify: 'circle-check',
  import: 'arrow-down-to-line',
}

/** One job: its title, its progress, and a button to stop it. */
export function JobRow({ job }: { job: Job }) {
  const { t } = useTranslation()
  const { kind, items, state } = job
  const folder = job.to === '' ? '' : nameOf(parsePath(job.to)) || t('places.home')
  const name = nameOf(parsePath(job.path))
  const title = t(`jobs.what.${kind}`, { count: items, value: formatNumber(items), name, folder })
  const fraction =
    job.bytes > 0 ? job.bytesDone / job.bytes : job.filesDone / Math.max(1, job.files)
  const hasProgress = state === 'running' || state === 'waiting' || state === 'paused'
  const isForeign = job.username !== session.user?.username
  return (
    <div className="JobRow" data-state={state}>
      <Icon name={ICON[kind]} />
      <div className="JobRow__main">
        <Name>{title}</Name>
        {isForeign && <bdi className="JobRow__text">{job.username}</bdi>}
        {hasProgress && (
          <ProgressBar
            value={fraction}
            max={1}
            label={t('jobs.progressOf', { name: title })}
            indeterminate={job.isPartial && state === 'running'}
          />
        )}
        <Progress job={job} />
        {job.fault !== '' && (
          <p className="JobRow__reason">{storedFaultText(job.fault, job.reason)}</p>
        )}
        {trashBytesOf(storedFault(job.fault, job.reason)) > 0 && (
          <Link className="JobRow__remedy" href={TRASH}>
            {t('common.openTrash')}
          </Link>
        )}
        {job.failed > 0 && <JobProblems job={job} />}
      </div>
      <div className="JobRow__end">
        {(state === 'running' || state === 'waiting') && (
          <IconButton
            icon="pause"
            size="s"
            label={t('jobs.pause', { name: title })}
            onClick={() => void controlJob(job, 'pause')}
          />
        )}
        {state === 'paused' && (
          <IconButton
            icon="play"
            size="s"
            label={t('jobs.resume', { name: title })}
            onClick={() => void controlJob(job, 'resume')}
          />
        )}
        {state === 'failed' && (
          <IconButton
            icon="rotate-cw"
            size="s"
            label={t('jobs.retry', { name: title })}
            onClick={() => void controlJob(job, 'retry')}
          />
        )}
        {isActive(job) ? (
          <IconButton
            icon="x"
            size="s"
            label={t('jobs.cancel', { name: title })}
            onClick={() => void controlJob(job, 'cancel')}
          />
        ) : (
          <IconButton
            icon="x"
            size="s"
            label={t('jobs.dismiss', { name: title })}
            onClick={() => void dismissJobs([job])}
          />
        )}
      </div>
    </div>
  )
}

/** The numbers of a running job, and the result of a finished one. */
function Progress({ job }: { job: Job }) {
  const { t } = useTranslation()
  const { state, filesDone, files, bytesDone, bytes, speed, current } = job
  if (!isActive(job)) return <p className="JobRow__text">{t(`jobs.state.${state}`)}</p>
  const secondsLeft = speed > 0 && !job.isPartial ? (bytes - bytesDone) / speed : undefined
  const amount = t('jobs.amount', {
    done: formatNumber(filesDone),
    files: formatNumber(files),
    sent: formatSize(bytesDone),
    total: formatSize(bytes),
  })
  const size = formatSize(speed)
  const speedText = () =>
    secondsLeft === undefined
      ? t('jobs.speed', { size })
      : t('jobs.pace', { size, left: formatTimeLeft(secondsLeft) })
  return (
    <>
      <p className="JobRow__text">
        <bdi>{state === 'running' ? amount : `${t(`jobs.state.${state}`)} · ${amount}`}</bdi>
        {speed > 0 && state === 'running' && <bdi>{speedText()}</bdi>}
      </p>
      {current !== '' && state === 'running' && (
        <p className="JobRow__text" title={current}>
          <Name>{nameOf(parsePath(current))}</Name>
        </p>
      )}
    </>
  )
}
