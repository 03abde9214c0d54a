import type { ComponentType } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import type { PromptName } from '#ui/state/dialogs/prompts.ts'
import { CurrentPasswordCard } from './accounts/CurrentPasswordCard.tsx'
import { DeleteUserCard } from './accounts/DeleteUserCard.tsx'
import { EndSessionsCard } from './accounts/EndSessionsCard.tsx'
import { InvitationCard } from './accounts/InvitationCard.tsx'
import { SignInCard } from './accounts/SignInCard.tsx'
import { CompareVersionCard } from './changes/CompareVersionCard.tsx'
import { DeleteCard } from './changes/DeleteCard.tsx'
import { PlanCard } from './changes/PlanCard.tsx'
import { PurgeCard } from './changes/PurgeCard.tsx'
import { UndoAllCard } from './changes/UndoAllCard.tsx'
import { CollisionCard } from './collisions/CollisionCard.tsx'
import { AbortUploadsCard } from './files/AbortUploadsCard.tsx'
import { CompressCard } from './files/CompressCard.tsx'
import { DownloadCard } from './files/DownloadCard.tsx'
import { ExtractCard } from './files/ExtractCard.tsx'
import { ExtractTakenCard } from './files/ExtractTakenCard.tsx'
import { GoToLineCard } from './files/GoToLineCard.tsx'
import { ImportCard } from './files/ImportCard.tsx'
import { InfoCard } from './files/InfoCard.tsx'
import { SaveConflictCard } from './files/SaveConflictCard.tsx'
import { CopyCard, MoveCard } from './folder-picker/DestinationCard.tsx'
import { ReceiveCard } from './folder-picker/ReceiveCard.tsx'
import { MissingCard } from './MissingCard.tsx'
import { NewFileCard, NewFolderCard } from './names/NewCard.tsx'
import { RenameCard } from './names/RenameCard.tsx'
import { SaveAsCard } from './names/SaveAsCard.tsx'
import { DiscardChangesCard } from './page/DiscardChangesCard.tsx'
import { DiscardEditorChangesCard } from './page/DiscardEditorChangesCard.tsx'
import { HelpCard } from './page/HelpCard.tsx'
import type { CardProps } from './parts/card.ts'
import { ShareCard } from './sharing/ShareCard.tsx'
import { ShareDeleteCard } from './sharing/ShareDeleteCard.tsx'

/** Cards that are used rarely are loaded with their first question. */
const RenameManyCard = lazyPart(
  async () => (await import('./names/RenameManyCard.tsx')).RenameManyCard,
  MissingCard,
)
const ChooseFolderCard = lazyPart(
  async () => (await import('./folder-picker/ChooseFolderCard.tsx')).ChooseFolderCard,
  MissingCard,
)
const ShareManyCard = lazyPart(
  async () => (await import('./sharing/ShareManyCard.tsx')).ShareManyCard,
  MissingCard,
)

const NewAppPasswordCard = lazyPart(
  async () => (await import('./accounts/NewAppPasswordCard.tsx')).NewAppPasswordCard,
  MissingCard,
)
const AccessReasonsCard = lazyPart(
  async () => (await import('./accounts/AccessReasonsCard.tsx')).AccessReasonsCard,
  MissingCard,
)
const LinkDirectoryCard = lazyPart(
  async () => (await import('./accounts/LinkDirectoryCard.tsx')).LinkDirectoryCard,
  MissingCard,
)
const AppPasswordCard = lazyPart(
  async () => (await import('./accounts/AppPasswordCard.tsx')).AppPasswordCard,
  MissingCard,
)
const RemoveAppPasswordsCard = lazyPart(
  async () => (await import('./accounts/RemoveAppPasswordsCard.tsx')).RemoveAppPasswordsCard,
  MissingCard,
)

const CodeCard = lazyPart(
  async () => (await import('./accounts/CodeCard.tsx')).CodeCard,
  MissingCard,
)
const NewSecondFactorCard = lazyPart(
  async () => (await import('./accounts/NewSecondFactorCard.tsx')).NewSecondFactorCard,
  MissingCard,
)
const RenamePasskeyCard = lazyPart(
  async () => (await import('./accounts/RenamePasskeyCard.tsx')).RenamePasskeyCard,
  MissingCard,
)
const RecoveryCodesCard = lazyPart(
  async () => (await import('./accounts/RecoveryCodesCard.tsx')).RecoveryCodesCard,
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
  chooseFolder: ChooseFolderCard,
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
  newAppPassword: NewAppPasswordCard,
  appPassword: AppPasswordCard,
  removeAppPasswords: RemoveAppPasswordsCard,
  code: CodeCard,
  newSecondFactor: NewSecondFactorCard,
  recoveryCodes: RecoveryCodesCard,
  accessReasons: AccessReasonsCard,
  linkDirectory: LinkDirectoryCard,
  renamePasskey: RenamePasskeyCard,
  discardChanges: DiscardChangesCard,
  signIn: SignInCard,
}
