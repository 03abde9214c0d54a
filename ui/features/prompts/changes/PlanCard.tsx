import { Notice } from '#ui/components/feedback/Notice.tsx'
import { InfoList } from '#ui/components/file/InfoList.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { storedFaultText } from '#ui/i18n/faults.ts'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { InfoItem } from '#ui/lib/entries/info-item.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { JobPlan } from '#wire/api/jobs.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import './PlanCard.css'

/** Shows the plan of a job before it starts. */
export function PlanCard({ question, onAnswer, onCancel }: CardProps<'plan'>) {
  const { t } = useTranslation()
  const { plan, entryName: name, count, isNew } = question
  const { kind } = plan
  // An archive may contain one name several times. It is listed once.
  const refused = new Map(
    plan.items
      .filter(({ problem }) => problem !== '')
      .map((item) => [`${item.path} ${item.part}`, item]),
  )
  const isTooLarge = kind !== 'delete' && plan.freeAfter < 0
  const isEmpty = kind === 'extract' ? plan.files + plan.folders === 0 : plan.refused === count
  const folder = plan.to === '' ? '' : nameOf(parsePath(plan.to)) || t('places.home')
  return (
    <ConfirmCard
      title={t(`prompts.plan.title.${kind}`, { count, name, value: formatNumber(count), folder })}
      hint={t(`prompts.plan.hint.${kind}`)}
      action={t(`prompts.plan.act.${kind}`)}
      tone={kind === 'delete' ? 'danger' : 'accent'}
      disabled={isEmpty}
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
    >
      <div className="PlanCard">
        {isNew && <Notice>{t('prompts.plan.isNew')}</Notice>}
        {isTooLarge && <Notice tone="danger">{t('prompts.plan.tooLarge')}</Notice>}
        <InfoList items={useInfo(plan)} />
        {refused.size > 0 && (
          <ul className="PlanCard__refused" aria-label={t('prompts.plan.refused')}>
            {[...refused]
              .slice(0, ON_DEMAND_LIMITS.namesListedMax)
              .map(([key, { path, part, fault, problem }]) => (
                <li key={key}>
                  <Name>{part || nameOf(parsePath(path))}</Name>
                  <span>{storedFaultText(fault, problem)}</span>
                </li>
              ))}
          </ul>
        )}
      </div>
    </ConfirmCard>
  )
}

function useInfo(plan: JobPlan): InfoItem[] {
  const { t } = useTranslation()
  const { kind, isPartial } = plan
  const orMore = (text: string) => (isPartial ? t('prompts.plan.atLeast', { text }) : text)
  const info: InfoItem[] = [
    { term: t('prompts.plan.files'), text: orMore(formatNumber(plan.files)) },
    { term: t('prompts.plan.folders'), text: orMore(formatNumber(plan.folders)) },
    { term: t('prompts.plan.size'), text: orMore(formatSize(plan.bytes)) },
  ]
  const add = (isWanted: boolean, term: string, text: string) => {
    if (isWanted) info.push({ term, text })
  }
  add(plan.taken > 0, t('prompts.plan.taken'), formatNumber(plan.taken))
  add(plan.replaced > 0, t('prompts.plan.replaced'), formatNumber(plan.replaced))
  add(plan.refused > 0, t('prompts.plan.refused'), formatNumber(plan.refused))
  if (kind === 'delete' || kind === 'sums' || kind === 'verify') return info
  add(
    kind === 'move',
    t('prompts.plan.way'),
    t(plan.isInstant ? 'prompts.plan.instant' : 'prompts.plan.across'),
  )
  info.push({ term: t('prompts.plan.free'), text: formatSize(Math.max(0, plan.freeAfter)) })
  return info
}
