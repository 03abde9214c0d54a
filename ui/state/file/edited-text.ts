/** Opens, follows and saves the text of the editor. It is loaded with the editor, not with the first page. */

import { ref } from 'valtio'
import * as api from '#ui/api/files/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { assign } from '#ui/lib/assign.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { asUtf8Text, decodeText, encodeText } from '#ui/lib/text/text-bytes.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import { isFault } from '#wire/fault.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { groupChanges, type Recorder, reportChanges } from '../changes/undo.ts'
import { ask } from '../dialogs/prompts.ts'
import { updateFile } from '../folder/listing.ts'
import { dismissToast } from '../messages/toasts.ts'
import { session } from '../session/session.ts'
import { rememberEncoding } from './chosen-encodings.ts'
import type { EditorHandle } from './editor-handle.ts'
import { discardChanges, NO_TEXT, setOpenEditor, text } from './text.ts'
import { type Base, type ReadText, readText, readTextIfExists } from './text-file.ts'
import { viewerState } from './viewer.ts'

/** An unsaved text, with the version of the file that it was edited from. */
interface Draft {
  text: string
  base: Base
}

/** The version of the file that the text was loaded from or last saved as. */
let base: Base = { text: '', hasMark: false, etag: undefined }
let editor: EditorHandle | undefined
/** The bytes of a text that is not UTF-8. */
let foreignBytes: Uint8Array | undefined
/** The id of the user who opened the text. */
let owner: number | undefined
/** Counts the calls that open or close a text: a text that is loaded after a later call is dropped. */
let opening = 0
/** Unsaved texts of pages that were left because the session ended, by user and path. */
const drafts = new Map<string, Draft>()

/**
 * Opens the text of a file. If the session ended during an edit, the unsaved text is restored.
 *
 * @returns whether the server was asked for the bytes, which it records as an opening
 */
export async function openText(file: api.ReadFile, path: TreePath): Promise<boolean> {
  opening += 1
  const current = opening
  assign(text, NO_TEXT, { path })
  owner = session.user?.id
  try {
    const read = await readText(file, path)
    if (current === opening) start(path, read)
    return read.isRecorded
  } catch (error) {
    if (current === opening) text.error = ref(toFault(error))
    return true
  }
}

/** Called when the text is left, also while it is loading. Unsaved text is kept as a draft for the same user. */
export function closeText(): void {
  const { path, isDirty } = text
  if (path && isDirty && editor) drafts.set(keyOf(path), { text: editor.snapshot().text, base })
  opening += 1
  editor = undefined
  foreignBytes = undefined
  setOpenEditor(undefined)
  assign(text, NO_TEXT)
}

/** Called when the editor is mounted. */
export function attachEditor(handle: EditorHandle): void {
  editor = handle
  setOpenEditor({ find: handle.find, goToLine: handle.goToLine, save: saveOnce })
}

/** Called when the file was read again: a text without unsaved changes is replaced by the new content. */
export function refreshText(file: api.ReadFile): void {
  const { content = '', etag } = file
  const decoded = asUtf8Text(content, file.size)
  if (!editor || text.isLossy || saving || !decoded || etag === base.etag) return
  if (decoded.text !== base.text) {
    if (text.isDirty) return
    editor.show(decoded.text)
    settle({ text: decoded.text, hasMark: decoded.hasMark, etag }, editor.snapshot())
  } else base = { ...base, etag }
}

/** Shows the bytes of the file in another encoding, which is remembered for the file. Nothing is saved. */
export function chooseEncoding(encoding: string): void {
  const { path } = text
  if (!path || !editor || !foreignBytes || !text.isLossy) return
  rememberEncoding(path, encoding)
  const { text: shown, damaged } = decodeText(foreignBytes, encoding)
  base = { ...base, text: shown }
  editor.show(shown)
  editor.snapshot().markSaved()
  assign(text, { encoding, damaged, isGuess: false })
}

/** Makes a text in another encoding editable: the next save writes it as UTF-8. */
export function convertText(): void {
  assign(text, { isLossy: false, encoding: 'utf-8' })
  editor?.markUnsaved()
}

/** Saves the text; calls during a save share its result. */
function saveOnce(): Promise<boolean> {
  saving ??= save().finally(() => {
    saving = undefined
  })
  return saving
}

/** The id of the toast that reports the last save. */
let lastSaved: number | undefined
let saving: Promise<boolean> | undefined

async function save(): Promise<boolean> {
  const { path } = text
  if (!path || !editor || text.isLossy) return false
  if (!text.isDirty) return true
  assign(text, { isSaving: true, fault: null })
  try {
    let isSaved = false
    const changes = await groupChanges(async (record) => {
      isSaved = await write(path, base.etag, record)
    })
    if (isSaved) reportSaved(path, changes)
    return isSaved
  } catch (error) {
    text.fault = ref(toFault(error))
    return false
  } finally {
    text.isSaving = false
  }
}

/** All saves of one file share one message; its button undoes the last save. */
function reportSaved(path: TreePath, changes: readonly number[]): void {
  if (changes.length === 0) return
  if (lastSaved !== undefined) dismissToast(lastSaved)
  lastSaved = reportChanges(t('toasts.saved', { name: nameOf(path) }), changes)
}

/**
 * Writes the text if the file still has the version `etag`; otherwise the user decides.
 *
 * @returns true if the file now contains the text
 * @throws Fault if the file cannot be written
 */
async function write(path: TreePath, etag: string | undefined, record: Recorder): Promise<boolean> {
  const snapshot = editor?.snapshot()
  if (!snapshot) return false
  try {
    const saved = await api.save(path, encodeText(snapshot.text, base.hasMark), etag, record)
    settle({ text: snapshot.text, hasMark: base.hasMark, etag: saved }, snapshot)
    return true
  } catch (error) {
    if (!isFault(error, 'precondition', 'notFound')) throw error
    return resolveConflict(path, snapshot, record)
  }
}

/** Called if the file has changed since it was opened: nothing is overwritten, and the user decides. */
async function resolveConflict(
  path: TreePath,
  own: ReturnType<EditorHandle['snapshot']>,
  record: Recorder,
): Promise<boolean> {
  const stored = await readTextIfExists(path)
  // A file that was touched, moved or restored has another version but the same text: that is no conflict.
  if (stored?.text === base.text) return write(path, stored.etag, record)
  if (stored?.text === own.text) {
    settle(stored, own)
    return true
  }
  // Nothing is saved while the question is open.
  text.isSaving = false
  const choice = await ask({
    name: 'saveConflict',
    file: path,
    own: own.text,
    stored: stored?.text ?? null,
  })
  text.isSaving = true
  if (choice === 'keepMine') return stored ? write(path, stored.etag, record) : create(path, record)
  if (choice === 'takeTheirs' && stored) {
    editor?.show(stored.text)
    const shown = editor?.snapshot()
    if (shown) settle(stored, shown)
    return true
  }
  return choice === 'saveAs' ? saveAs(path, record) : false
}

/** Creates the file again, because it was deleted while its text was edited. */
async function create(path: TreePath, record: Recorder): Promise<boolean> {
  const snapshot = editor?.snapshot()
  if (!snapshot) return false
  await api.createFile(path, encodeText(snapshot.text, base.hasMark), record)
  const made = await readTextIfExists(path)
  settle(made ?? { ...base, text: snapshot.text, etag: undefined }, snapshot)
  return true
}

/** Saves the text to a new file in the same folder, and opens that file. */
async function saveAs(path: TreePath, record: Recorder): Promise<boolean> {
  const name = await ask({ name: 'saveAs', file: path })
  const snapshot = editor?.snapshot()
  if (!name || !snapshot) return false
  const copy = childPath(parentPath(path), name)
  await api.createFile(copy, encodeText(snapshot.text, base.hasMark), record)
  discardChanges()
  goTo(filesUrl(copy, false), { replace: true })
  return true
}

/** Gives the editor its initial text: the draft of an earlier session, or the text of the file. */
function start(path: TreePath, read: ReadText): void {
  const draft = drafts.get(keyOf(path))
  drafts.delete(keyOf(path))
  const stored: Base = { text: read.text, hasMark: read.hasMark, etag: read.etag }
  // With the base of the draft, a save detects that the file has changed since the draft was begun.
  base = draft && draft.base.text !== read.text ? draft.base : stored
  viewerState.showsSource = draft !== undefined || read.text === ''
  assign(text, {
    start: ref({ text: draft?.text ?? read.text, saved: base.text }),
    encoding: read.encoding,
    isLossy: !read.isLossless,
    isGuess: read.isGuess,
    damaged: read.damaged,
  })
  foreignBytes = read.bytes
}

/** Called when the file contains `saved`: the text of `snapshot` counts as saved, even if more was typed since. */
function settle(saved: Base, snapshot: ReturnType<EditorHandle['snapshot']>): void {
  base = saved
  snapshot.markSaved()
  const { path } = text
  const size = new TextEncoder().encode(encodeText(saved.text, saved.hasMark)).length
  if (path) updateFile(path, { content: saved.text, size, modified: new Date().toISOString() })
}

function keyOf(path: TreePath): string {
  return `${owner}:${path}`
}
