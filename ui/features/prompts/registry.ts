import type { ComponentType } from 'react'
import type { QuestionName } from '#ui/state/prompts.ts'
import { AbortUploadsCard } from './AbortUploadsCard.tsx'
import { CollisionCard } from './CollisionCard.tsx'
import type { CardProps } from './card.ts'
import { DeleteCard } from './DeleteCard.tsx'
import { CopyCard, MoveCard } from './DestinationCard.tsx'
import { HelpCard } from './HelpCard.tsx'
import { InfoCard } from './InfoCard.tsx'
import { NewFileCard, NewFolderCard } from './NewCard.tsx'
import { RenameCard } from './RenameCard.tsx'
import { ShareCard } from './ShareCard.tsx'
import { ShareDeleteCard } from './ShareDeleteCard.tsx'
import { UploadCard } from './UploadCard.tsx'

/** The card of each prompt: a prompt without one does not compile. */
export const CARDS: { readonly [Name in QuestionName]: ComponentType<CardProps<Name>> } = {
  delete: DeleteCard,
  rename: RenameCard,
  move: MoveCard,
  copy: CopyCard,
  newFolder: NewFolderCard,
  newFile: NewFileCard,
  collision: CollisionCard,
  help: HelpCard,
  info: InfoCard,
  abortUploads: AbortUploadsCard,
  upload: UploadCard,
  share: ShareCard,
  shareDelete: ShareDeleteCard,
}
