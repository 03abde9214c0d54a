import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isTakenAmong } from '#ui/lib/entries/new-names.ts'
import { freeName } from '#ui/lib/entries/usable-names.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { stemLength } from '#wire/free-names.ts'
import { nameOf, parentPath } from '#wire/paths.ts'
import type { CardProps } from '../parts/card.ts'
import { NameCard } from '../parts/NameCard.tsx'

/** Asks for a name in the folder of `file`; the default is a similar free name. */
export function SaveAsCard({ question, onAnswer, onCancel }: CardProps<'saveAs'>) {
  const { t } = useTranslation()
  const { folder, siblings: entries, foldsCase } = useSnapshot(viewerState)
  const { file } = question
  const name = nameOf(file)
  const siblingNames = folder === parentPath(file) ? entries.map((entry) => entry.name) : []
  const siblings = { names: [name, ...siblingNames], foldsCase }
  const isTaken = (typed: string) => isTakenAmong(siblings, typed)
  const free = freeName(name, isTaken, false)
  return (
    <NameCard
      title={t('prompts.saveAs.title', { name })}
      action={t('prompts.saveAs.act')}
      folder={parentPath(file)}
      initial={free}
      selected={stemLength(free)}
      unchanged="answers"
      isTaken={isTaken}
      onName={onAnswer}
      onCancel={onCancel}
    />
  )
}
