/**
 * Dialogs that ask the user a question, as a stack: each call of `ask` waits for the answer of its own card.
 *
 * A new prompt is a row of `Prompts` here and a card in `features/prompts/registry.ts`.
 */
import { proxy, ref } from 'valtio'
import type { NewName } from '#ui/lib/new-names.ts'
import type { UndoableSession, UndoRequest } from '#ui/lib/undo-request.ts'
import type { ArchiveFormatName } from '#wire/archive-formats.ts'
import type { Entry } from '#wire/entry.ts'
import type { JobPlan } from '#wire/jobs.ts'
import type { TreePath } from '#wire/paths.ts'
import type { SessionInfo } from '#wire/session.ts'
import type { Share } from '#wire/share.ts'

/** The properties of a file that a collision compares. */
export interface FileSummary {
  /** Bytes. */
  size: number
  /** RFC 3339. */
  modified: string
  isDir: boolean
}

export interface Conflict {
  /** The name that both have, or their path below the destination. */
  name: string
  existing: FileSummary
  incoming: FileSummary
}

export const CONFLICT_CHOICES = ['replace', 'keepBoth', 'skip'] as const
export type ConflictChoice = (typeof CONFLICT_CHOICES)[number]

/** The parameters and the answer of each prompt. */
interface Prompts {
  delete: { params: { entries: readonly Entry[] }; answer: true }
  /** `siblings`: names that exist in the same folder. */
  rename: { params: { entry: Entry; siblings: readonly string[] }; answer: string }
  /** `siblings`: the names of all entries of the folder. The answer has the new names without problems. */
  renameMany: {
    params: { entries: readonly Entry[]; siblings: readonly string[] }
    answer: readonly NewName[]
  }
  /** `from`: the folder that the entries are in. The answer is the destination folder. */
  move: { params: { entries: readonly Entry[]; from: TreePath }; answer: TreePath }
  copy: { params: { entries: readonly Entry[]; from: TreePath }; answer: TreePath }
  newFolder: { params: { folder: TreePath }; answer: string }
  newFile: { params: { folder: TreePath }; answer: string }
  /** `total`: the number of entries in the operation. The answer is one decision for each conflict, in order. */
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
   * Confirms the plan of a job with `count` entries, the first named `entryName`. `isNew`: the previous plan was
   * outdated.
   */
  plan: {
    params: {
      plan: JobPlan
      paths: readonly string[]
      entryName: string
      count: number
      isNew: boolean
    }
    answer: true
  }
  /** Asks for a URL; the answer is imported into `folder`. */
  import: { params: { folder: TreePath }; answer: string }
  /** Asks for the format of a new archive file with `count` entries, the first named `entryName`. */
  compress: { params: { entryName: string; count: number }; answer: ArchiveFormatName }
  /** Extracts the archive named `entryName` beside it, or into a new folder. */
  extract: { params: { entryName: string }; answer: 'here' | 'folder' }
  /** `count` files of the archive named `entryName` have names that exist already. */
  extractTaken: { params: { entryName: string; count: number }; answer: ConflictChoice }
  help: { params: object; answer: never }
  info: { params: { entries: readonly Entry[] }; answer: never }
  abortUploads: { params: { count: number }; answer: true }
  /** Another app has shared files with these names. The answer is the destination folder. */
  receive: { params: { names: readonly string[] }; answer: TreePath }
  /**
   * Asks for the format of a download of `count` entries, the first named `entryName`, or of the whole folder. Broken
   * symlinks are left out.
   */
  download: {
    params: { entryName: string; count: number | 'all'; leftOut?: number }
    answer: ArchiveFormatName
  }
  /** The shares are those of `#ui/state/shares.ts`. */
  share: { params: { path: TreePath; isDir: boolean }; answer: never }
  /** Creates one share for each entry. */
  shareMany: { params: { entries: readonly Entry[] }; answer: never }
  /**
   * Asks for the user whose changes are undone, one of `names`, and for the start time. `username` is chosen at first.
   */
  undoAll: {
    params: { names: readonly string[]; username: string; sessions: readonly UndoableSession[] }
    answer: UndoRequest
  }
  /** Without a path the whole trash is emptied. */
  purge: { params: { path?: string }; answer: true }
  shareDelete: { params: { share: Share }; answer: true }
  /** The text of `file` has unsaved changes, and the user leaves the page. */
  discardEditorChanges: { params: { file: TreePath }; answer: 'save' | 'discard' }
  /** `stored`: the text that is now on the server; null if the file no longer exists. */
  saveConflict: {
    params: { file: TreePath; own: string; stored: string | null }
    answer: 'keepMine' | 'takeTheirs' | 'saveAs'
  }
  /** Compares two texts: the content of `file` at the time `when`, and the present content. */
  compareVersion: {
    params: { file: TreePath; when: string; earlier: string; present: string; mayRestore: boolean }
    answer: 'restore'
  }
  saveAs: { params: { file: TreePath }; answer: string }
  /** The answer is a line number, from 1. */
  goToLine: { params: { lines: number; current: number }; answer: number }
  /** The answer is the password; `wrong`: the previous one was wrong. */
  currentPassword: { params: { wrong: boolean }; answer: string }
  /** Shows the link of an invitation, which is shown once. `expires`: seconds since 1970. */
  invitation: { params: { username: string; url: string; expires: number }; answer: never }
  /** The answer is one's own password, or an empty text if the account has none. */
  deleteUser: { params: { username: string; wrong: boolean }; answer: string }
  endSessions: { params: { sessions: readonly SessionInfo[] }; answer: true }
  /** A form has unsaved changes, and the user leaves the page. */
  discardChanges: { params: object; answer: true }
  /** The session has expired: the card signs the same user in again. */
  signIn: { params: { username: string }; answer: true }
}

export type QuestionName = keyof Prompts
export type QuestionOf<Name extends QuestionName> = { name: Name } & Prompts[Name]['params']
export type AnswerOf<Name extends QuestionName> = Prompts[Name]['answer']
export type Question = { [Name in QuestionName]: QuestionOf<Name> }[QuestionName]

export interface OpenPrompt {
  id: number
  /** A `ref`: parameters may contain thousands of entries and never change. */
  question: Question
}

/** The topmost card is the last. */
export const prompts = proxy<{ stack: OpenPrompt[] }>({ stack: [] })

/** The function that resolves the promise of `ask`, by the id of the card. */
const waiting = new Map<number, (answer: unknown) => void>()
let lastId = 0

/** Questions of requests and not of users: each request waits for its own answer. */
const OF_REQUESTS: readonly QuestionName[] = ['currentPassword', 'signIn']

/**
 * Shows a card on top of the others. A question that is already the topmost is not asked again: while the cards are
 * loaded, a user may click twice.
 *
 * @returns its answer; undefined if it was cancelled, or is asked already
 */
export function ask<Name extends QuestionName>(
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

function isTopmost(question: { name: QuestionName }): boolean {
  const topmost = prompts.stack.at(-1)?.question
  if (topmost?.name !== question.name || OF_REQUESTS.includes(question.name)) return false
  return JSON.stringify(topmost) === JSON.stringify(question)
}

/** Removes the card from the stack and resolves its promise; undefined cancels. A second call has no effect. */
export function answer(id: number, value: AnswerOf<QuestionName> | undefined): void {
  const index = prompts.stack.findIndex((prompt) => prompt.id === id)
  if (index >= 0) prompts.stack.splice(index, 1)
  const resolve = waiting.get(id)
  waiting.delete(id)
  resolve?.(value)
}

/** Cancels every card, because the page that they belong to is left. */
export function dismiss(): void {
  for (const { id } of [...prompts.stack].reverse()) answer(id, undefined)
}
