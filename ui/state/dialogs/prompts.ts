/**
 * The dialogs in which the interface asks the user for something, or shows something.
 *
 * A prompt is a kind of these dialogs, such as `rename`: a row of `Prompts`, with its parameters and the type of its
 * answer. A question is the name of a prompt with values of its parameters, such as `rename` for one certain file. The
 * card of a prompt is the component that renders its dialog (`features/prompts/registry.ts`).
 *
 * The dialogs are a stack. Each call of `ask` shows one and waits for its answer.
 */
import { proxy, ref } from 'valtio'
import type { UndoableSession, UndoRequest } from '#ui/lib/accounts/undo-request.ts'
import type { NewName, Siblings } from '#ui/lib/entries/new-names.ts'
import type { AppPassword, NewAppPassword } from '#wire/api/app-passwords.ts'
import type { ShownDirectory } from '#wire/api/directory.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { JobPlan } from '#wire/api/jobs.ts'
import type { CodeNeeded, SecondFactorDraft } from '#wire/api/second-factor.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import type { Share } from '#wire/api/share.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import type { NameEncoding } from '#wire/name-encodings.ts'
import type { TreePath } from '#wire/paths.ts'

/** The properties of a file or folder that the card of a collision compares. */
export interface FileSummary {
  /** Bytes. */
  size: number
  /** RFC 3339. */
  modified: string
  isDir: boolean
}

/** An existing and an incoming entry that have the same name. */
export interface Conflict {
  /** The name of both; for an entry of an uploaded folder, its path below the destination. */
  name: string
  existing: FileSummary
  incoming: FileSummary
  /** Whether an entry of the same transfer, or one that is being uploaded, has the name. It is never replaced. */
  isSibling?: boolean
}

export const CONFLICT_CHOICES = ['replace', 'keepBoth', 'skip'] as const
export type ConflictChoice = (typeof CONFLICT_CHOICES)[number]

/** What an account has beside its password: codes of an app, and passkeys of these hosts. */
export type Factors = Omit<CodeNeeded, 'ticket'>

/**
 * The parameters and the answer of each prompt. The answer `true` confirms. A prompt with `never` has no answer: the user
 * reads it, or the card itself carries out what the user does in it, and the user closes it.
 */
interface Prompts {
  /** Confirms the permanent deletion of entries that the trash does not keep. */
  delete: { params: { entries: readonly Entry[] }; answer: true }
  /** Asks for a new name. `siblings`: the names of all entries of the folder. */
  rename: { params: { entry: Entry; siblings: Siblings }; answer: string }
  /**
   * Asks for new names of several entries. `siblings`: the names of all entries of the folder. The answer has one row
   * for each entry, none with a `problem`.
   */
  renameMany: {
    params: { entries: readonly Entry[]; siblings: Siblings }
    answer: readonly NewName[]
  }
  /** `move` and `copy` ask for the destination folder. `from`: the folder that the entries are in. */
  move: { params: { entries: readonly Entry[]; from: TreePath }; answer: TreePath }
  copy: { params: { entries: readonly Entry[]; from: TreePath }; answer: TreePath }
  /** `newFolder` and `newFile` ask for the name of a new entry in `folder`. */
  newFolder: { params: { folder: TreePath }; answer: string }
  newFile: { params: { folder: TreePath }; answer: string }
  /**
   * Asks what happens to entries whose names exist in `folder`. `total`: the number of entries in the operation, with
   * those that have no conflict. The answer is one choice for each conflict, in order.
   */
  collision: {
    params: {
      verb: 'move' | 'copy' | 'upload'
      folder: TreePath
      total: number
      conflicts: readonly Conflict[]
    }
    answer: ConflictChoice[]
  }
  /**
   * Confirms the plan of a job for `count` entries, the first named `entryName`. `isNew`: it replaces a plan that the
   * user has confirmed and that was outdated. A small plan that leaves nothing out is not asked about.
   */
  plan: {
    params: {
      plan: JobPlan
      entryName: string
      count: number
      isNew: boolean
    }
    answer: true
  }
  /** Asks for the URL of a file that is imported into `folder`. */
  import: { params: { folder: TreePath }; answer: string }
  /** Asks for the format of a new archive file with `count` entries, the first named `entryName`. */
  compress: { params: { entryName: string; count: number }; answer: ArchiveFormatName }
  /**
   * Asks where the archive named `entryName` is extracted: into the folder that it is in, or into a new folder there; and
   * for a zip in which encoding its names are, which is guessed without one.
   */
  extract: {
    params: { entryName: string }
    answer: { into: 'here' | 'folder'; encoding?: NameEncoding }
  }
  /** Asks for one choice for all `count` files of the archive named `entryName` whose names exist already. */
  extractTaken: { params: { entryName: string; count: number }; answer: ConflictChoice }
  /** Shows the keys and what they do. */
  help: { params: object; answer: never }
  /** Shows information about the entries; without any, about the folder or file of the page. */
  info: { params: { entries: readonly Entry[] }; answer: never }
  /** Confirms that `count` uploads are aborted. */
  abortUploads: { params: { count: number }; answer: true }
  /** Another app has shared files with these names. The answer is the destination folder. */
  receive: { params: { names: readonly string[] }; answer: TreePath }
  /** Asks for a folder that a setting names. */
  chooseFolder: { params: { start: TreePath }; answer: TreePath }
  /**
   * Asks for the archive format of a download of `count` entries, the first named `entryName`. `'all'`: of all entries
   * of the folder named `entryName`. `leftOut`: the number of broken symlinks, which the archive does not contain.
   */
  download: {
    params: { entryName: string; count: number | 'all'; leftOut?: number }
    answer: ArchiveFormatName
  }
  /**
   * Shows the shares of a path, which `loadShares` (state/sharing/shares.ts) has loaded before, and creates and deletes them.
   */
  share: { params: { path: TreePath; isDir: boolean }; answer: never }
  /** Creates one share for each entry, with the same duration and password. */
  shareMany: { params: { entries: readonly Entry[] }; answer: never }
  /**
   * Asks for the user whose changes are undone, one of `names`, for one or all `sessions` of the user, and for the
   * start time. `username` is chosen at first; if it is empty, the first of `names`.
   */
  undoAll: {
    params: { names: readonly string[]; username: string; sessions: readonly UndoableSession[] }
    answer: UndoRequest
  }
  /** Confirms the permanent deletion of an item of the trash. `path`: its original path; without one, of all items. */
  purge: {
    params: {
      path?: string | undefined
      count?: number | undefined
      /** How many all are, if that is known. */
      all?: number | undefined
      /** Whether the disk of items that could not be deleted is not mounted: they would be removed from the list. */
      isAway?: boolean
    }
    answer: true
  }
  /** Confirms the deletion of a share. */
  shareDelete: { params: { share: Share }; answer: true }
  /** Asks what happens to the unsaved changes of `file`, because the user leaves the page. */
  discardEditorChanges: { params: { file: TreePath }; answer: 'save' | 'discard' }
  /**
   * Asks which text is kept, because `file` has changed on the server since it was opened. `own`: the text of the user.
   * `stored`: the text on the server; null if the file no longer exists.
   */
  saveConflict: {
    params: { file: TreePath; own: string; stored: string | null }
    answer: 'keepMine' | 'takeTheirs' | 'saveAs'
  }
  /**
   * Shows the differences between an earlier and the current text of `file`, and offers to restore the earlier
   * one if `mayRestore`. `when`: the time of the earlier one, formatted for the user.
   */
  compareVersion: {
    params: { file: TreePath; when: string; earlier: string; current: string; mayRestore: boolean }
    answer: 'restore'
  }
  /** Asks for the name under which the text of `file` is saved, in the same folder. */
  saveAs: { params: { file: TreePath }; answer: string }
  /** Asks for a line number, from 1 to `lines`. */
  goToLine: { params: { lines: number; current: number }; answer: number }
  /** Asks for the password of the user who is signed in. `isWrong`: the previous one was wrong. */
  currentPassword: { params: { isWrong: boolean }; answer: string }
  /** Shows the link of an invitation. It cannot be shown again. `expires`: seconds since 1970. */
  invitation: { params: { username: string; url: string; expires: number }; answer: never }
  /**
   * Confirms the deletion of the account `username`. The answer is the password of the user who is signed in; empty if
   * users of this server sign in without passwords. `isWrong`: the previous one was wrong.
   */
  deleteUser: { params: { username: string; isWrong: boolean }; answer: string }
  /** Confirms that these sessions end. */
  endSessions: { params: { sessions: readonly SessionInfo[] }; answer: true }
  /** Asks for what a new app password is for, and makes it. */
  newAppPassword: { params: object; answer: NewAppPassword }
  /** Shows a new app password, which cannot be shown again. */
  appPassword: { params: { created: NewAppPassword }; answer: never }
  /** Confirms that app passwords are removed. `isOffer`: it is offered, because the password of the account was changed. */
  removeAppPasswords: {
    params: { appPasswords: readonly AppPassword[]; isOffer?: boolean }
    answer: true
  }
  /** Asks for a code of the second factor, or whether a passkey is used. `problem`: why the previous one was refused. */
  code: {
    params: Factors & { problem?: string | undefined }
    answer: { code: string } | 'passkey'
  }
  /** Shows the secret of a second factor, and puts it into use with a code. The answer are the recovery codes. */
  newSecondFactor: { params: { draft: SecondFactorDraft }; answer: readonly string[] }
  /** Shows recovery codes, which cannot be shown again. */
  recoveryCodes: { params: { codes: readonly string[] }; answer: never }
  /** Shows what users may do with an entry, and why, for administrators. */
  accessReasons: { params: { path: TreePath }; answer: never }
  /** Asks for name and password in a directory, and links the account. */
  linkDirectory: { params: { directory: ShownDirectory }; answer: true }
  /** Asks for another name of a passkey. */
  renamePasskey: { params: { current: string }; answer: string }
  /** Confirms that the unsaved changes of a form are lost, because the user leaves the page. */
  discardChanges: { params: object; answer: true }
  /** The session has expired: the card signs the same user in again, and then answers. */
  signIn: { params: { username: string }; answer: true }
}

/** The name of a prompt. */
export type PromptName = keyof Prompts
/** A question of one prompt. */
export type QuestionOf<Name extends PromptName> = { name: Name } & Prompts[Name]['params']
/** The answer to the questions of one prompt. */
export type AnswerOf<Name extends PromptName> = Prompts[Name]['answer']
/** A question of any prompt. */
export type Question = { [Name in PromptName]: QuestionOf<Name> }[PromptName]

/** A question whose dialog is open. */
export interface OpenQuestion {
  id: number
  /** A `ref`, of which valtio makes no proxy: the parameters may contain thousands of entries and never change. */
  question: Question
}

/** The questions whose dialogs are open. The last is the topmost. */
export const prompts = proxy<{ stack: OpenQuestion[] }>({ stack: [] })

/** The function that resolves the promise of `ask`, by the id of the question. */
const waiting = new Map<number, (answer: unknown) => void>()
let lastId = 0

/**
 * Opens the dialog of a question, above the other dialogs. If the topmost question is equal, it opens none: the user may
 * have clicked twice before the first dialog appeared. For `currentPassword` it opens one each time, because each
 * request that needs the password waits for an answer of its own.
 *
 * @returns the answer; undefined if the user cancelled, or no dialog was opened
 */
export function ask<Name extends PromptName>(
  question: QuestionOf<Name>,
): Promise<AnswerOf<Name> | undefined> {
  if (isTopmost(question)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    lastId += 1
    // Only the card of this name answers this id: the type of the registry guarantees it.
    waiting.set(lastId, resolve as (answer: unknown) => void)
    // QuestionOf<Name> is a member of Question, which TypeScript cannot infer for a generic.
    prompts.stack.push({ id: lastId, question: ref(question as object as Question) })
  })
}

function isTopmost(question: { name: PromptName }): boolean {
  const topmost = prompts.stack.at(-1)?.question
  if (topmost?.name !== question.name || question.name === 'currentPassword') return false
  return JSON.stringify(topmost) === JSON.stringify(question)
}

/** Removes a question from the stack and resolves its promise; undefined cancels. A second call has no effect. */
export function answer(id: number, value: AnswerOf<PromptName> | undefined): void {
  const index = prompts.stack.findIndex((prompt) => prompt.id === id)
  if (index >= 0) prompts.stack.splice(index, 1)
  const resolve = waiting.get(id)
  waiting.delete(id)
  resolve?.(value)
}

/** Cancels all questions, because the user leaves the page that they belong to. */
export function dismiss(): void {
  for (const { id } of [...prompts.stack].reverse()) answer(id, undefined)
}
