import { useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { FactSheet } from '#ui/components/FactSheet.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { copy } from '#ui/state/copy.ts'
import { checksumOf, checksumsOf, factsOf, hasMoreFacts, moreFactsOf } from '#ui/state/facts.ts'
import { listing } from '#ui/state/listing.ts'
import type { CardProps } from './card.ts'

/** What there is to say of the selection; with nothing selected, of the place itself. */
export function InfoCard({ question, onCancel }: CardProps<'info'>) {
  const { t } = useTranslation()
  const [trouble, setTrouble] = useState<string>()
  const here = listing.entry ? [listing.entry] : []
  const entries = question.entries.length > 0 ? question.entries : here
  const [first, ...rest] = entries
  const more = first && rest.length === 0 && hasMoreFacts(first)
  return (
    <Dialog
      title={
        first && rest.length === 0
          ? first.name || t('places.home')
          : t('prompts.info.title', { count: entries.length })
      }
      onClose={onCancel}
      actions={<Button onClick={onCancel}>{t('common.close')}</Button>}
    >
      {trouble && <Notice tone="danger">{trouble}</Notice>}
      {first && (
        <FactSheet
          subject={first.path}
          facts={factsOf(entries)}
          more={more ? (signal) => moreFactsOf(first, signal) : undefined}
          algorithms={checksumsOf(entries)}
          checksum={(algorithm, signal) => checksumOf(first, algorithm, signal)}
          onCopy={(text) => {
            setTrouble(undefined)
            return copy(text, { onTrouble: setTrouble })
          }}
        />
      )}
    </Dialog>
  )
}
