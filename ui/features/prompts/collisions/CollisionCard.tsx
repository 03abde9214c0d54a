import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { CONFLICT_CHOICES, type Conflict, type ConflictChoice } from '#ui/state/dialogs/prompts.ts'
import { session } from '#ui/state/session/session.ts'
import { nameOf } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import { CollisionTable } from './CollisionTable.tsx'
import { decideAll, isReplaceable, mayBePartial, resume, suggest } from './comparison.ts'
import './CollisionCard.css'

/** Asks what to do with names that exist in the folder: one decision for all of them, or one for each. */
export function CollisionCard({ question, onAnswer, onCancel }: CardProps<'collision'>) {
  const { t } = useTranslation()
  const { verb, folder, total, conflicts } = question
  /** One decision for each name; undefined while one button decides all. */
  const [each, setEach] = useState<readonly ConflictChoice[]>()
  const mayReplace = session.user !== null && permits(session.user.perm, 'overwrite')
  const offered = CONFLICT_CHOICES.filter((decision) => decision !== 'replace' || mayReplace)
  const count = conflicts.length
  /** The number of names that do not exist in the folder. */
  const others = total - count
  const mayResume = mayReplace && conflicts.some(mayBePartial)
  const folderName = nameOf(folder) || t('places.home')
  const kind = verb === 'upload' ? 'files' : 'items'
  return (
    <Dialog
      title={t(`prompts.collision.title.${others > 0 ? kind : (`${kind}All` as const)}`, {
        count,
        taken: formatNumber(count),
        value: formatNumber(total),
        name: conflicts[0]?.name ?? '',
      })}
      hint={
        <>
          {t(`prompts.collision.hint.${kind}`, { count, folder: folderName })}{' '}
          {others > 0 &&
            t(`prompts.collision.others.${verb}`, {
              count: others,
              value: formatNumber(others),
            })}{' '}
          {conflicts.some(({ isSibling }) => isSibling) && t('prompts.collision.siblings')}
        </>
      }
      wide
      onClose={onCancel}
      actions={
        each ? (
          <EachActions decisions={each} onAnswer={onAnswer} onCancel={onCancel} />
        ) : (
          <AllActions
            conflicts={conflicts}
            offered={offered}
            kind={kind}
            onAnswer={onAnswer}
            onCancel={onCancel}
          />
        )
      }
    >
      <CollisionTable
        folder={folder}
        conflicts={conflicts}
        decisions={each}
        offered={offered}
        onDecide={setEach}
      />
      {count > 1 && (
        <div className="CollisionCard__mode">
          {each ? (
            <>
              <span>{t('prompts.collision.forAll')}</span>
              {offered.map((decision) => (
                <button
                  key={decision}
                  type="button"
                  className="CollisionCard__all"
                  onClick={() => setEach(decideAll(conflicts, decision))}
                >
                  {t(`prompts.collision.${decision}`)}
                </button>
              ))}
            </>
          ) : (
            <button
              type="button"
              className="CollisionCard__all"
              onClick={() => setEach(conflicts.map((conflict) => suggest(conflict, mayReplace)))}
            >
              {t('prompts.collision.oneByOne')}
            </button>
          )}
          {mayResume && (
            <button
              type="button"
              className="CollisionCard__all"
              onClick={() => setEach(resume(conflicts))}
            >
              {t('prompts.collision.resume')}
            </button>
          )}
        </div>
      )}
    </Dialog>
  )
}

interface ActionsProps {
  onAnswer(decisions: ConflictChoice[]): void
  onCancel(): void
}

interface AllActionsProps extends ActionsProps {
  conflicts: readonly Conflict[]
  offered: readonly ConflictChoice[]
  kind: 'files' | 'items'
}

/** One button for each decision that applies to all names. */
function AllActions({ conflicts, offered, kind, onAnswer, onCancel }: AllActionsProps) {
  const { t } = useTranslation()
  const count = conflicts.length
  const value = formatNumber(count)
  const replaced = offered.includes('replace') ? conflicts.filter(isReplaceable).length : 0
  // Files that are sent together are all wanted; what is on the server already is more often sent by mistake.
  const preferred = conflicts.some(({ isSibling }) => isSibling) ? 'keepBoth' : 'skip'
  return (
    <>
      <Button tone="quiet" data-push onClick={onCancel}>
        {t('common.cancel')}
      </Button>
      <Button
        {...(preferred === 'skip' && { ref: autofocus })}
        onClick={() => onAnswer(decideAll(conflicts, 'skip'))}
      >
        {t('prompts.collision.skipAll', { count, value })}
      </Button>
      <Button
        {...(preferred === 'keepBoth' && { ref: autofocus })}
        onClick={() => onAnswer(decideAll(conflicts, 'keepBoth'))}
      >
        {t('prompts.collision.keepBoth')}
      </Button>
      {replaced > 0 && (
        <Button tone="danger" onClick={() => onAnswer(decideAll(conflicts, 'replace'))}>
          {t(`prompts.collision.replaceAll.${kind}`, {
            count: replaced,
            value: formatNumber(replaced),
          })}
        </Button>
      )}
    </>
  )
}

interface EachActionsProps extends ActionsProps {
  decisions: readonly ConflictChoice[]
}

function EachActions({ decisions, onAnswer, onCancel }: EachActionsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Button tone="quiet" data-push onClick={onCancel}>
        {t('common.cancel')}
      </Button>
      <Button
        tone={decisions.includes('replace') ? 'danger' : 'accent'}
        onClick={() => onAnswer([...decisions])}
      >
        {t('prompts.collision.applyEach')}
      </Button>
    </>
  )
}
