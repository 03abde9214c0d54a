import { getIndentUnit } from '@codemirror/language'
import { openSearchPanel } from '@codemirror/search'
import type { Text } from '@codemirror/state'
import { EditorView, type ViewUpdate } from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { findTextAction } from '#ui/actions/keyboard.ts'
import { perform } from '#ui/actions/registry.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { attachEditor } from '#ui/state/file/edited-text.ts'
import { text } from '#ui/state/file/text.ts'
import { languageOf } from './language-of.ts'
import {
  compartments,
  createEditorState,
  lineBreakExtension,
  readOnlyExtension,
  wrapExtension,
} from './setup.ts'

/** The cursor position that the status line shows. */
export interface CursorPosition {
  line: number
  column: number
  /** The number of lines of the text. */
  lines: number
  /** The number of selected characters. */
  selected: number
}

interface CodeMirrorOptions {
  name: string
  /** The text to show first, and the saved text of the file. */
  start: { text: string; saved: string }
  readOnly: boolean
  wrap: boolean
}

/** Creates the editor in `host`, and destroys it when the component is unmounted or `start` changes. */
export function useCodeMirror(host: RefObject<HTMLElement | null>, options: CodeMirrorOptions) {
  const { name, start, readOnly, wrap } = options
  /** The saved text of the file; null if every text counts as unsaved. */
  const saved = useRef<Text>(null)
  const [view, setView] = useState<EditorView>()
  const [position, setPosition] = useState<CursorPosition>()
  const [isFinding, setFinding] = useState(false)
  const create = useEffectEvent((parent: HTMLElement) => createView(parent))
  const markSaved = useEffectEvent((editor: EditorView, doc: Text) => updateSaved(editor, doc))

  useEffect(() => {
    if (!host.current) return
    const editor = create(host.current)
    saved.current = editor.state.toText(start.saved)
    text.isDirty = !editor.state.doc.eq(saved.current)
    attachEditor({
      snapshot() {
        const { doc } = editor.state
        return { text: editor.state.sliceDoc(), markSaved: () => markSaved(editor, doc) }
      },
      show(other) {
        editor.dispatch({ effects: compartments.lineBreak.reconfigure(lineBreakExtension(other)) })
        editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: other } })
      },
      markUnsaved() {
        saved.current = null
        text.isDirty = true
      },
      find: () => void openSearchPanel(editor),
      goToLine: () => void goToLine(editor),
    })
    setView(editor)
    setPosition(positionOf(editor))
    // On a touch screen the focus would open the on-screen keyboard too early.
    if (!matchMedia(TOUCH).matches) editor.focus()
    return () => editor.destroy()
  }, [host, start])

  useEffect(() => {
    let isMounted = true
    const language = languageOf(name)
    language?.load().then(
      (support) =>
        isMounted && view?.dispatch({ effects: compartments.language.reconfigure(support) }),
      // If the language cannot be loaded, the text has no highlighting, which is no error for the user.
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [view, name])

  useEffect(() => {
    view?.dispatch({ effects: compartments.wrap.reconfigure(wrapExtension(wrap)) })
  }, [view, wrap])

  useEffect(() => {
    view?.dispatch({ effects: compartments.readOnly.reconfigure(readOnlyExtension(readOnly)) })
  }, [view, readOnly])

  return { view, position, isFinding, indent: view ? getIndentUnit(view.state) : 0 }

  function createView(parent: HTMLElement): EditorView {
    const state = createEditorState({
      text: start.text,
      name,
      readOnly,
      wrap,
      onKey: performInText,
      onUpdate,
      onFindOpen: setFinding,
    })
    return new EditorView({ state, parent })
  }

  function onUpdate(update: ViewUpdate): void {
    if (update.docChanged && saved.current) text.isDirty = !update.state.doc.eq(saved.current)
    if (update.docChanged || update.selectionSet) setPosition(positionOf(update.view))
  }

  function updateSaved(editor: EditorView, doc: Text): void {
    saved.current = doc
    text.isDirty = !editor.state.doc.eq(doc)
  }
}

/** Runs actions whose keys also work while text is edited. */
function performInText(event: KeyboardEvent): boolean {
  const action = findTextAction(event, actionContext())
  if (!action) return false
  void perform(action)
  return true
}

function positionOf({ state }: EditorView): CursorPosition {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  return {
    line: line.number,
    column: main.head - line.from + 1,
    lines: state.doc.lines,
    selected: ranges.reduce((sum, range) => sum + range.to - range.from, 0),
  }
}

async function goToLine(view: EditorView): Promise<void> {
  const { lines, line: current } = positionOf(view)
  const line = await ask({ name: 'goToLine', lines, current })
  if (line === undefined) return
  const { from } = view.state.doc.line(line)
  view.dispatch({
    selection: { anchor: from },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
  view.focus()
}
