/** The text being edited: how it stands against the file, and how it gets there. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import * as api from '#ui/api/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { filesUrl, goTo } from '#ui/lib/location.ts'
import { type DecodedText, encodeText, judgeText } from '#ui/lib/text-bytes.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { updateFile } from './listing.ts'
import { guardPage } from './navigation-guard.ts'
import { ask } from './prompts.ts'
import { session } from './session.ts'
import { type Base, readAgain, readText } from './text-file.ts'
import { dismissToast, toastSuccess } from './toasts.ts'
import { asOneChange, changedSoFar } from './undo.ts'

/** What the store asks of the editor on the page. */
export interface TextPort {
  /** The text as it stands. `settle` marks just this text as saved, whatever was typed since. */
  take(): { text: string; settle(): void }
  /** Shows a text from the server in place of the present one; undo brings that back. */
  show(text: string): void
  find(): void
  goToLine(): void
}

interface Text {
  /** The file whose text is open. */
  path: TreePath | null
  /** What the editor begins with; null until it is read. A `ref`. */
  start: { text: string; saved: string } | null
  /** Why it cannot be read. */
  error: Fault | null
  dirty: boolean
  saving: boolean
  /** Why the last save did not work. */
  fault: Fault | null
  /** A label of the Encoding standard. */
  encoding: string
  /** Saving would write other bytes than were read: the file is only looked at until that is wanted. */
  foreign: boolean
}

const CLOSED: Text = {
  path: null,
  start: null,
  error: null,
  dirty: false,
  saving: false,
  fault: null,
  encoding: 'utf-8',
  foreign: false,
}

export const text = proxy<Text>({ ...CLOSED })

interface Draft {
  text: string
  base: Base
}

let base: Base = { text: '', mark: false, etag: undefined }
let port: TextPort | undefined
let owner: number | undefined
let opening = 0
/** Texts whose page was left because the session ended, by person and path. */
const drafts = new Map<string, Draft>()

subscribeKey(text, 'dirty', (dirty) => guardPage(dirty ? mayLeave : undefined), true)

/** Opens the text of a file: the way it was left when the session ended meanwhile. */
export async function openText(file: api.ReadFile, path: TreePath): Promise<void> {
  opening += 1
  const current = opening
  Object.assign(text, CLOSED, { path })
  owner = session.user?.id
  try {
    const read = await readText(file, path)
    if (current === opening) start(path, read)
  } catch (error) {
    if (current === opening) text.error = ref(toFault(error))
  }
}

/** The editor has left the page. Unsaved text is kept for the same person's return. */
export function closeText(): void {
  const { path, dirty } = text
  if (path && dirty && port) drafts.set(keyOf(path), { text: port.take().text, base })
  opening += 1
  port = undefined
  Object.assign(text, CLOSED)
}

/** The editor is on the page. */
export function attachEditor(editor: TextPort): void {
  port = editor
}

export function findInText(): void {
  port?.find()
}

export function goToLine(): void {
  port?.goToLine()
}

/** The file was read again: what nobody has changed follows it. */
export function refreshText(file: api.ReadFile): void {
  const { content = '', etag } = file
  const judged = judgeText(content, file.size)
  if (!port || text.foreign || text.saving || !judged || etag === base.etag) return
  if (judged.text !== base.text) {
    if (text.dirty) return
    port.show(judged.text)
    settle({ text: judged.text, mark: judged.mark, etag }, port.take())
  } else base = { ...base, etag }
}

/** Writes the text, in the way of a file that is not UTF-8 as UTF-8 from now on. */
export function convertText(): void {
  Object.assign(text, { foreign: false, encoding: 'utf-8', dirty: true })
}

/** Saves. True when the file holds the text; a failure is told by `text.fault`. */
export function saveText(): Promise<boolean> {
  saving ??= save().finally(() => {
    saving = undefined
  })
  return saving
}

/** Whether the page may be left: at once, or after the person has decided about their changes. */
export function mayLeave(): Promise<boolean> {
  deciding ??= decide().finally(() => {
    deciding = undefined
  })
  return deciding
}

/** The file is no more: nothing is left to save. */
export function dropChanges(): void {
  text.dirty = false
}

let lastSaved: number | undefined
let saving: Promise<boolean> | undefined
let deciding: Promise<boolean> | undefined

async function decide(): Promise<boolean> {
  if (!text.path || !text.dirty || !session.user) return true
  const choice = await ask({ name: 'discardEditorChanges', file: text.path })
  if (choice === 'save') return saveText()
  if (choice === 'discard') dropChanges()
  return choice === 'discard'
}

async function save(): Promise<boolean> {
  const { path } = text
  if (!path || !port || text.foreign) return false
  if (!text.dirty) return true
  Object.assign(text, { saving: true, fault: null })
  try {
    return await asOneChange(async () => {
      const isSaved = await write(path, base.etag)
      if (isSaved) reportSaved(path)
      return isSaved
    })
  } catch (error) {
    text.fault = ref(toFault(error))
    return false
  } finally {
    text.saving = false
  }
}

/** One message for a file that is saved again and again: its button undoes the last time. */
function reportSaved(path: TreePath): void {
  const entries = changedSoFar()
  if (entries.length === 0) return
  if (lastSaved !== undefined) dismissToast(lastSaved)
  lastSaved = toastSuccess(t('toasts.saved', { name: nameOf(path) }), entries)
}

/** @throws Fault whatever keeps the file from being written, but for another version of it */
async function write(path: TreePath, etag: string | undefined): Promise<boolean> {
  const taken = port?.take()
  if (!taken) return false
  try {
    const saved = await api.save(path, encodeText(taken.text, base.mark), etag)
    settle({ text: taken.text, mark: base.mark, etag: saved }, taken)
    return true
  } catch (error) {
    if (!isFault(error, 'precondition', 'notFound')) throw error
    return reconcile(path, taken)
  }
}

/** The file is another than the one that was opened: nothing is lost, the person decides. */
async function reconcile(path: TreePath, own: ReturnType<TextPort['take']>): Promise<boolean> {
  const stored = await readAgain(path)
  // Touched, moved or restored: the same text under another version is nobody's change.
  if (stored?.text === base.text) return write(path, stored.etag)
  if (stored?.text === own.text) {
    settle(stored, own)
    return true
  }
  const choice = await ask({
    name: 'saveConflict',
    file: path,
    own: own.text,
    stored: stored?.text ?? null,
  })
  if (choice === 'keepMine') return stored ? write(path, stored.etag) : create(path)
  if (choice === 'takeTheirs' && stored) {
    port?.show(stored.text)
    const shown = port?.take()
    if (shown) settle(stored, shown)
    return true
  }
  return choice === 'saveAs' ? saveAs(path) : false
}

async function create(path: TreePath): Promise<boolean> {
  const taken = port?.take()
  if (!taken) return false
  await api.createFile(path, encodeText(taken.text, base.mark))
  const made = await readAgain(path)
  settle(made ?? { ...base, text: taken.text, etag: undefined }, taken)
  return true
}

/** Saves beside the file and goes on with that one. */
async function saveAs(path: TreePath): Promise<boolean> {
  const name = await ask({ name: 'saveAs', file: path })
  const taken = port?.take()
  if (!name || !taken) return false
  const copy = childPath(parentPath(path), name)
  await api.createFile(copy, encodeText(taken.text, base.mark))
  dropChanges()
  goTo(filesUrl(copy, false), { replace: true })
  return true
}

function start(path: TreePath, read: DecodedText & { etag: string | undefined }): void {
  const draft = drafts.get(keyOf(path))
  drafts.delete(keyOf(path))
  const now: Base = { text: read.text, mark: read.mark, etag: read.etag }
  // A draft of another version of the file meets that version when it is saved.
  base = draft && draft.base.text !== read.text ? draft.base : now
  Object.assign(text, {
    start: ref({ text: draft?.text ?? read.text, saved: base.text }),
    encoding: read.encoding,
    foreign: !read.faithful,
  })
}

function settle(saved: Base, taken: ReturnType<TextPort['take']>): void {
  base = saved
  taken.settle()
  const { path } = text
  const size = new TextEncoder().encode(encodeText(saved.text, saved.mark)).length
  if (path) updateFile(path, { content: saved.text, size, modified: new Date().toISOString() })
}

function keyOf(path: TreePath): string {
  return `${owner}:${path}`
}

function toFault(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault('internal', String(error), { cause: error })
}
