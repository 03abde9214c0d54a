import type { ComponentType } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import type { PromptName } from '#ui/state/dialogs/prompts.ts'
import { AbortUploadsCard } from './AbortUploadsCard.tsx'
import { CollisionCard } from './CollisionCard.tsx'
import { CompareVersionCard } from './CompareVersionCard.tsx'
import { CompressCard } from './CompressCard.tsx'
import { CurrentPasswordCard } from './CurrentPasswordCard.tsx'
import type { CardProps } from './card.ts'
import { DeleteCard } from './DeleteCard.tsx'
import { DeleteUserCard } from './DeleteUserCard.tsx'
import { CopyCard, MoveCard } from './DestinationCard.tsx'
import { DiscardChangesCard } from './DiscardChangesCard.tsx'
import { DiscardEditorChangesCard } from './DiscardEditorChangesCard.tsx'
import { DownloadCard } from './DownloadCard.tsx'
import { EndSessionsCard } from './EndSessionsCard.tsx'
import { ExtractCard } from './ExtractCard.tsx'
import { ExtractTakenCard } from './ExtractTakenCard.tsx'
import { GoToLineCard } from './GoToLineCard.tsx'
import { HelpCard } from './HelpCard.tsx'
import { ImportCard } from './ImportCard.tsx'
import { InfoCard } from './InfoCard.tsx'
import { InvitationCard } from './InvitationCard.tsx'
import { MissingCard } from './MissingCard.tsx'
import { NewFileCard, NewFolderCard } from './NewCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { PurgeCard } from './PurgeCard.tsx'
import { ReceiveCard } from './ReceiveCard.tsx'
import { RenameCard } from './RenameCard.tsx'
import { SaveAsCard } from './SaveAsCard.tsx'
import { SaveConflictCard } from './SaveConflictCard.tsx'
import { ShareCard } from './ShareCard.tsx'
import { ShareDeleteCard } from './ShareDeleteCard.tsx'
import { SignInCard } from './SignInCard.tsx'
import { UndoAllCard } from './UndoAllCard.tsx'

/** Cards that are used rarely are loaded with their first question. */
const RenameManyCard = lazyPart(
  async () => (await import('./RenameManyCard.tsx')).RenameManyCard,
  MissingCard,
)
const ShareManyCard = lazyPart(
  async () => (await import('./ShareManyCard.tsx')).ShareManyCard,
  MissingCard,
)

/** The card of each prompt. A prompt without a card does not compile. */
export const CARDS: { readonly [Name in PromptName]: ComponentType<CardProps<Name>> } = {
  delete: DeleteCard,
  rename: RenameCard,
  renameMany: RenameManyCard,
  move: MoveCard,
  copy: CopyCard,
  newFolder: NewFolderCard,
  newFile: NewFileCard,
  collision: CollisionCard,
  plan: PlanCard,
  compress: CompressCard,
  import: ImportCard,
  extract: ExtractCard,
  extractTaken: ExtractTakenCard,
  help: HelpCard,
  info: InfoCard,
  abortUploads: AbortUploadsCard,
  receive: ReceiveCard,
  download: DownloadCard,
  share: ShareCard,
  shareMany: ShareManyCard,
  undoAll: UndoAllCard,
  purge: PurgeCard,
  shareDelete: ShareDeleteCard,
  discardEditorChanges: DiscardEditorChangesCard,
  saveConflict: SaveConflictCard,
  compareVersion: CompareVersionCard,
  saveAs: SaveAsCard,
  goToLine: GoToLineCard,
  currentPassword: CurrentPasswordCard,
  invitation: InvitationCard,
  deleteUser: DeleteUserCard,
  endSessions: EndSessionsCard,
  discardChanges: DiscardChangesCard,
  signIn: SignInCard,
}
