import { Select } from '#ui/components/fields/Select.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { formatDate, formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { Conflict, ConflictChoice, FileSummary } from '#ui/state/dialogs/prompts.ts'
import { joinPath, nameOf, type TreePath } from '#wire/paths.ts'
import { EntryPicture } from '../parts/EntryPicture.tsx'
import { compareEntries, decideOne, isReplaceable } from './comparison.ts'
import './CollisionTable.css'

const TONES = { newer: 'accent', older: 'warning' } as const

interface CollisionTableProps {
  folder: TreePath
  conflicts: readonly Conflict[]
  /** One decision for each conflict, while they are decided one by one. */
  decisions: readonly ConflictChoice[] | undefined
  offered: readonly ConflictChoice[]
  onDecide(decisions: readonly ConflictChoice[]): void
}

/** Compares existing files with the new ones, with the sizes and dates of both. */
export function CollisionTable(props: CollisionTableProps) {
  const { folder, conflicts, decisions, offered, onDecide } = props
  const { t } = useTranslation()
  const hidden = conflicts.length - ON_DEMAND_LIMITS.conflictRowsMax
  const restLabel = t('prompts.more', { count: hidden, value: formatNumber(hidden) })

  function decide(from: number, to: number, decision: ConflictChoice) {
    onDecide(
      conflicts.map((conflict, index) =>
        index >= from && index < to
          ? decideOne(conflict, decision)
          : (decisions?.[index] ?? 'skip'),
      ),
    )
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
    <section className="CollisionTable" aria-label={t('prompts.collision.compared')} tabIndex={0}>
      <table className="CollisionTable__table">
        <thead>
          <tr>
            <th scope="col">{t('listing.name')}</th>
            <th scope="col">{t('prompts.collision.here')}</th>
            <th scope="col">{t('prompts.collision.yours')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('prompts.collision.compared')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {conflicts.slice(0, ON_DEMAND_LIMITS.conflictRowsMax).map((conflict, index) => (
            <CollisionRow
              // Several files of an upload may have the same name.
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order
              key={index}
              folder={folder}
              conflict={conflict}
              decision={decisions?.[index]}
              offered={offered}
              onDecide={(decision) => decide(index, index + 1, decision)}
            />
          ))}
          {hidden > 0 && (
            <tr>
              <td colSpan={4}>
                <div className="CollisionTable__choice">
                  {restLabel}
                  {decisions && (
                    <DecisionSelect
                      name={restLabel}
                      decision={decisions[ON_DEMAND_LIMITS.conflictRowsMax] ?? 'skip'}
                      offered={offered}
                      onDecide={(decision) =>
                        decide(ON_DEMAND_LIMITS.conflictRowsMax, conflicts.length, decision)
                      }
                    />
                  )}
                </div>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

interface CollisionRowProps {
  folder: TreePath
  conflict: Conflict
  decision: ConflictChoice | undefined
  offered: readonly ConflictChoice[]
  onDecide(decision: ConflictChoice): void
}

function CollisionRow({ folder, conflict, decision, offered, onDecide }: CollisionRowProps) {
  const { t } = useTranslation()
  const { name, existing, incoming } = conflict
  const path = joinPath(folder, name)
  const comparison = compareEntries(conflict)
  const possible = offered.filter((choice) => choice !== 'replace' || isReplaceable(conflict))
  const tone = comparison === 'newer' || comparison === 'older' ? TONES[comparison] : undefined
  return (
    <tr>
      <td>
        <div className="CollisionTable__name">
          <EntryPicture entry={{ name: nameOf(path), type: '', ...existing }} path={path} />
          <div className="CollisionTable__choice">
            <bdi>{shownPath(name)}</bdi>
            {decision && (
              <DecisionSelect
                name={name}
                decision={decision}
                offered={possible}
                onDecide={onDecide}
              />
            )}
          </div>
        </div>
      </td>
      <FactsCell facts={existing} label={t('prompts.collision.here')} />
      <FactsCell facts={incoming} label={t('prompts.collision.yours')} />
      <td>
        {comparison !== 'differs' && (
          <Badge {...(tone && { tone })}>{t(`prompts.collision.${comparison}`)}</Badge>
        )}
      </td>
    </tr>
  )
}

function FactsCell({ facts, label }: { facts: FileSummary; label: string }) {
  const { t } = useTranslation()
  return (
    <td data-label={label}>
      <b>
        <bdi>{facts.isDir ? t('kinds.folder') : formatSize(facts.size)}</bdi>
      </b>
      <span>{formatDate(facts.modified)}</span>
    </td>
  )
}

interface DecisionSelectProps {
  /** The name in conflict. */
  name: string
  decision: ConflictChoice
  offered: readonly ConflictChoice[]
  onDecide(decision: ConflictChoice): void
}

function DecisionSelect({ name, decision, offered, onDecide }: DecisionSelectProps) {
  const { t } = useTranslation()
  return (
    <Select
      aria-label={t('prompts.collision.decisionFor', { name })}
      value={decision}
      options={offered.map((value) => ({ value, label: t(`prompts.collision.${value}`) }))}
      onChange={(event) => {
        const chosen = offered.find((value) => value === event.target.value)
        if (chosen) onDecide(chosen)
      }}
    />
  )
}
