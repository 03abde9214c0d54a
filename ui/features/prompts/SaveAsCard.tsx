import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { freeName } from '#ui/lib/names.ts'
import { viewerState } from '#ui/state/viewer.ts'
import { stemLength } from '#wire/free-names.ts'
import { nameOf, parentPath } from '#wire/paths.ts'
import type { CardProps } from './card.ts'
import { NameCard } from './NameCard.tsx'

/** Asks for a name in the folder of `file`; the default is a similar free name. */
export function SaveAsCard({ question, onAnswer, onCancel }: CardProps<'saveAs'>) {
  const { t } = useTranslation()
  const { folder, siblings } = useSnapshot(viewerState)
  const { file } = question
  const name = nameOf(file)
  const siblingNames = folder === parentPath(file) ? siblings.map((entry) => entry.name) : []
  const taken = new Set([name, ...siblingNames])
  const free = freeName(name, taken, false)
  return (
    <NameCard
      title={t('prompts.saveAs.title', { name })}
      action={t('prompts.saveAs.act')}
      folder={parentPath(file)}
      initial={free}
      selected={stemLength(free)}
      unchanged="answers"
      isTaken={(typed) => taken.has(typed)}
      onName={onAnswer}
      onCancel={onCancel}
    />
  )
}
