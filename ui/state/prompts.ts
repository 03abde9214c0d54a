/**
 * Questions to the person, as a stack: each call of `ask` waits for the answer of its own card.
 *
 * A new prompt is a row of `Prompts` here and a card in `features/prompts/registry.ts`.
 */
import { proxy, ref } from 'valtio'
import type { ArchiveToken } from '#wire/archive-formats.ts'
import type { Entry } from '#wire/entry.ts'
import type { JobPlan } from '#wire/jobs.ts'
import type { TreePath } from '#wire/paths.ts'
import type { SessionInfo } from '#wire/session.ts'
import type { Share } from '#wire/share.ts'

/** What a collision compares of one thing. */
export interface FileSummary {
  /** Bytes. */
  size: number
  /** RFC 3339. */
  modified: string
  isDir: boolean
}

export interface Conflict {
  /** The name both want, or their path below the destination. */
  name: string
  here: FileSummary
  own: FileSummary
}

export const DECISIONS = ['replace', 'keepBoth', 'skip'] as const
export type Decision = (typeof DECISIONS)[number]

/** What each prompt is told, and what it answers. */
interface Prompts {
  delete: { asks: { entries: readonly Entry[] }; answers: true }
  /** `siblings`: names that are taken in the same folder. */
  rename: { asks: { entry: Entry; siblings: readonly string[] }; answers: string }
  /** `from`: the folder the entries are in. Answers the destination folder. */
  move: { asks: { entries: readonly Entry[]; from: TreePath }; answers: TreePath }
  copy: { asks: { entries: readonly Entry[]; from: TreePath }; answers: TreePath }
  newFolder: { asks: { folder: TreePath }; answers: string }
  newFile: { asks: { folder: TreePath }; answers: string }
  /** `total`: how many things are under way. Answers one decision for each conflict, in order. */
  collision: {
    asks: {
      verb: 'move' | 'copy' | 'upload'
      folder: TreePath
      total: number
      conflicts: readonly Conflict[]
    }
    answers: Decision[]
  }
  /** What a job of so many things, the first called `of`, would do. `isNew`: the plan before it was not true any more. */
  plan: { asks: { plan: JobPlan; of: string; count: number; isNew: boolean }; answers: true }
  /** An archive of so many things, the first called `of`, as a new file: in which format? */
  compress: { asks: { of: string; count: number }; answers: ArchiveToken }
  /** The archive called `of`: beside it, or into a folder of its own? */
  extract: { asks: { of: string }; answers: 'here' | 'folder' }
  /** So many files of the archive called `of` have names that are taken. */
  extractTaken: { asks: { of: string; count: number }; answers: Decision }
  help: { asks: object; answers: never }
  info: { asks: { entries: readonly Entry[] }; answers: never }
  abortUploads: { asks: { count: number }; answers: true }
  /** Another app has handed over files of these names. Answers the folder they go to. */
  receive: { asks: { names: readonly string[] }; answers: TreePath }
  /**
   * An archive of so many things, the first called `of`, or of all of a folder: in which format? Links that lead
   * to nothing are left out.
   */
  download: {
    asks: { of: string; count: number | 'all'; leftOut?: number }
    answers: ArchiveToken
  }
  /** The links are those of `#ui/state/shares.ts`. */
  share: { asks: { path: TreePath; isDir: boolean }; answers: never }
  /** Whose changes are to be undone: one of `names`, at first `username`. Answers since when, too. */
  undoAll: {
    asks: { names: readonly string[]; username: string }
    answers: { username: string; since: Date }
  }
  /** All of the trash without a path. */
  purge: { asks: { path?: string }; answers: true }
  shareDelete: { asks: { share: Share }; answers: true }
  /** The text of `file` has unsaved changes, and the page is to be left. */
  discardEditorChanges: { asks: { file: TreePath }; answers: 'save' | 'discard' }
  /** `theirs`: the text that the server has instead; null when the file is gone. */
  saveConflict: {
    asks: { file: TreePath; own: string; stored: string | null }
    answers: 'keepMine' | 'takeTheirs' | 'saveAs'
  }
  /** Two texts: what `file` held at the moment `when`, and what it holds now. */
  compareVersion: {
    asks: { file: TreePath; when: string; earlier: string; present: string; mayRestore: boolean }
    answers: 'restore'
  }
  saveAs: { asks: { file: TreePath }; answers: string }
  /** Answers the number of a line, from 1. */
  goToLine: { asks: { lines: number; current: number }; answers: number }
  /** Answers the password; `wrong`: the one before did not fit. */
  currentPassword: { asks: { wrong: boolean }; answers: string }
  /** Answers one's own password, or an empty text where there is none. */
  deleteUser: { asks: { username: string; wrong: boolean }; answers: string }
  endSessions: { asks: { sessions: readonly SessionInfo[] }; answers: true }
  /** A form has unsaved changes, and the page is to be left. */
  discardChanges: { asks: object; answers: true }
  /** The session is over: the card signs this person in again. */
  signIn: { asks: { username: string }; answers: true }
}

export type QuestionName = keyof Prompts
export type QuestionOf<Name extends QuestionName> = { name: Name } & Prompts[Name]['asks']
export type AnswerOf<Name extends QuestionName> = Prompts[Name]['answers']
export type Question = { [Name in QuestionName]: QuestionOf<Name> }[QuestionName]

export interface Asked {
  id: number
  /** A `ref`: questions may hold thousands of entries and never change. */
  question: Question
}

/** The topmost last. */
export const prompts = proxy<{ stack: Asked[] }>({ stack: [] })

/** Who waits for which answer. */
const waiting = new Map<number, (answer: unknown) => void>()
let lastId = 0

/** Shows a card on top of the others. Resolves to its answer, or to undefined when it is cancelled. */
export function ask<Name extends QuestionName>(
  question: QuestionOf<Name>,
): Promise<AnswerOf<Name> | undefined> {
  return new Promise((resolve) => {
    lastId += 1
    // The card of this name, and no other, answers this id: the registry's type sees to it.
    waiting.set(lastId, resolve as (answer: unknown) => void)
    // QuestionOf<Name> is one of the members of Question, which a generic cannot show.
    prompts.stack.push({ id: lastId, question: ref(question as object as Question) })
  })
}

/** Takes the card off the stack and hands on its answer; undefined cancels. Twice does nothing. */
export function answer(id: number, value: AnswerOf<QuestionName> | undefined): void {
  const at = prompts.stack.findIndex((asked) => asked.id === id)
  if (at >= 0) prompts.stack.splice(at, 1)
  const resolve = waiting.get(id)
  waiting.delete(id)
  resolve?.(value)
}

/** Cancels every card: the place they spoke about is left. */
export function dismiss(): void {
  for (const { id } of [...prompts.stack].reverse()) answer(id, undefined)
}
