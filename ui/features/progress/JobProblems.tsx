import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { storedFaultText } from '#ui/i18n/faults.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { controlJob } from '#ui/state/changes/jobs.ts'
import type { Job } from '#wire/api/jobs.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import './JobProblems.css'

/** The failed items of a job, with the actions for each. */
export function JobProblems({ job }: { job: Job }) {
  const { t } = useTranslation()
  const listed = job.problems.slice(0, ON_DEMAND_LIMITS.problemsListedMax)
  const hidden = job.failed - listed.length
  const mayRetry = job.state !== 'cancelled'
  return (
    <ul className="JobProblems" aria-label={t('jobs.problems')}>
      {listed.map(({ id, path, part, fault, reason, failedPath }) => {
        const name = part || nameOf(parsePath(path))
        return (
          <li key={id} className="JobProblems__row">
            <div>
              <Name>{name}</Name>
              {failedPath !== '' && <Name>{failedPath}</Name>}
              <p>{storedFaultText(fault, reason)}</p>
            </div>
            {mayRetry && (
              <>
                <IconButton
                  icon="rotate-cw"
                  size="s"
                  label={t('jobs.retry', { name })}
                  onClick={() => void controlJob(job, 'retry', id)}
                />
                <IconButton
                  icon="x"
                  size="s"
                  label={t('jobs.skip', { name })}
                  onClick={() => void controlJob(job, 'skip', id)}
                />
              </>
            )}
          </li>
        )
      })}
      {hidden > 0 && <li>{t('prompts.more', { count: hidden, value: formatNumber(hidden) })}</li>}
    </ul>
  )
}
