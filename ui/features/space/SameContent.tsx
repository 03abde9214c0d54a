import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { ProgressBar } from '#ui/components/feedback/ProgressBar.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { findSame, sameContent, stopSame } from '#ui/state/folder/space.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import './SameContent.css'

interface SameContentProps {
  folder: TreePath
  /** The row of a file. */
  rowOf(entry: Entry): ReactNode
}

/** Searches files with the same content, shows them while they are found, and how far the search is. */
export function SameContent({ folder, rowOf }: SameContentProps) {
  const { t } = useTranslation()
  const { state, groups, progress, isPartial, fault } = useSnapshot(sameContent)
  return (
    <section className="SameContent" aria-label={t('settings.space.same')}>
      <header className="SameContent__head">
        <div>
          <h3 className="SameContent__title">{t('settings.space.same')}</h3>
          <p className="SameContent__hint">{t('settings.space.sameHint')}</p>
        </div>
        {state === 'running' ? (
          <Button onClick={stopSame}>{t('common.cancel')}</Button>
        ) : (
          <Button icon="search" onClick={() => void findSame(folder)}>
            {t('prompts.plan.act.verify')}
          </Button>
        )}
      </header>
      {state === 'running' && (
        <ProgressBar
          value={progress?.done ?? 0}
          max={progress?.total ?? 0}
          indeterminate={progress === undefined}
          label={t('settings.space.same')}
        />
      )}
      {/* The snapshot of a `ref` is the fault itself. */}
      {fault && <Notice tone="danger">{faultText(fault as Fault)}</Notice>}
      {state === 'ended' && isPartial && <Notice>{t('settings.space.partial')}</Notice>}
      {state === 'ended' && groups.length === 0 && !fault && (
        <p role="status">{t('settings.space.noneSame')}</p>
      )}
      {groups.map((group) => {
        // The snapshot of a `ref` are the groups themselves.
        const entries = group as readonly Entry[]
        const waste = (entries.length - 1) * (entries[0]?.size ?? 0)
        return (
          <div key={entries[0]?.path} className="SameContent__group">
            <p className="SameContent__waste">
              {t('settings.space.waste', { size: formatSize(waste) })}
            </p>
            <ul>{entries.map(rowOf)}</ul>
          </div>
        )
      })}
    </section>
  )
}
