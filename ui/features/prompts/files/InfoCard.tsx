import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { FileInfo } from '#ui/components/file/FileInfo.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { detailsOf } from '#ui/state/file/file-details.ts'
import {
  checksumOf,
  checksumsOf,
  fileInfoOf,
  hasMoreInfo,
  moreInfoOf,
} from '#ui/state/file/file-info.ts'
import { versionsOf } from '#ui/state/file/versions.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { copy } from '#ui/state/messages/copy.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { CardProps } from '../parts/card.ts'

/** Information about the selection; without one about the shown folder or file. */
export function InfoCard({ question, onCancel }: CardProps<'info'>) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string>()
  const shown = listing.entry ? [listing.entry] : []
  const entries = question.entries.length > 0 ? question.entries : shown
  const [first, ...rest] = entries
  // `listing.entry` has all fields of an entry, and more.
  const versions = rest.length === 0 && first ? versionsOf(first as Entry) : undefined
  /** Closes the card after a restore, because it shows information about the old content. */
  const closeAfter = <T,>(restore: ((version: T) => Promise<void>) | undefined) =>
    restore &&
    (async (version: T) => {
      await restore(version)
      onCancel()
    })
  const details = first && rest.length === 0 ? detailsOf(first) : undefined
  const more = first && rest.length === 0 && hasMoreInfo(first)
  return (
    <Dialog
      title={
        first && rest.length === 0
          ? shownName(first.name).text || t('places.home')
          : t('prompts.info.title', { count: entries.length })
      }
      onClose={onCancel}
      actions={<Button onClick={onCancel}>{t('common.close')}</Button>}
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      {first && (
        <FileInfo
          subject={first.path}
          items={fileInfoOf(entries)}
          more={more ? (signal) => moreInfoOf(first, signal) : undefined}
          versions={versions && { ...versions, onRestore: closeAfter(versions.onRestore) }}
          access={details && { load: details.access, onExplain: details.explain }}
          activity={details && { href: details.activityHref, load: details.activity }}
          algorithms={checksumsOf(entries)}
          checksum={(algorithm, signal) => checksumOf(first, algorithm, signal)}
          onCopy={(text) => {
            setProblem(undefined)
            return copy(text, { onError: setProblem })
          }}
        />
      )}
    </Dialog>
  )
}
