/** Assembles the extensions of the editor library, CodeMirror. */

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language'
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  highlightSelectionMatches,
  search,
  selectNextOccurrence,
} from '@codemirror/search'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type Panel,
  rectangularSelection,
  type ViewUpdate,
} from '@codemirror/view'
import { t } from '#ui/i18n/i18n.ts'
import { pageNonce } from '#ui/lib/page/page.ts'
import { indentOf } from '#ui/lib/text/indent.ts'
import { lineBreakOf } from '#ui/lib/text/text-bytes.ts'
import { languageOf } from './language-of.ts'
import { lineDirection } from './line-direction.ts'
import { theme } from './theme.ts'

export interface EditorOptions {
  text: string
  /** The file's name, for assistive technology. */
  name: string
  readOnly: boolean
  wrap: boolean
  /**
   * Called for keys that the library does not handle.
   *
   * @returns whether the key was handled
   */
  onKey(event: KeyboardEvent): boolean
  onUpdate(update: ViewUpdate): void
  /** Called when the find bar opens or closes. */
  onFindOpen(isOpen: boolean): void
}

/** CodeMirror compartments: the settings that change while a file is open. */
export const compartments = {
  language: new Compartment(),
  wrap: new Compartment(),
  readOnly: new Compartment(),
  lineBreak: new Compartment(),
}

/** Creates the editor's initial state. */
export function createEditorState(setup: EditorOptions): EditorState {
  const { text, name, readOnly, wrap } = setup
  return EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(pageNonce()),
      compartments.lineBreak.of(lineBreakExtension(text)),
      indentUnit.of(indentOf(text)),
      EditorState.phrases.of(phrases()),
      EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' }),
      compartments.language.of([]),
      compartments.wrap.of(wrapExtension(wrap)),
      compartments.readOnly.of(readOnlyExtension(readOnly)),
      BASICS,
      isProse(name) ? lineDirection : [],
      theme,
      search({ createPanel: () => findPanel(setup.onFindOpen) }),
      keymap.of(KEYS),
      Prec.lowest(keymap.of([{ any: (_view, event) => setup.onKey(event) }])),
      EditorView.updateListener.of(setup.onUpdate),
    ],
  })
}

/** The find bar is part of the page, so the library's own panel stays empty. */
function findPanel(onFindOpen: EditorOptions['onFindOpen']): Panel {
  const dom = document.createElement('div')
  dom.hidden = true
  return { dom, mount: () => onFindOpen(true), destroy: () => onFindOpen(false) }
}

/** The text is split at its own line breaks, and saved with them. */
export function lineBreakExtension(text: string): Extension {
  return EditorState.lineSeparator.of(lineBreakOf(text))
}

export function wrapExtension(wrap: boolean): Extension {
  return wrap ? EditorView.lineWrapping : []
}

export function readOnlyExtension(readOnly: boolean): Extension {
  return [EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]
}

/** Whether the file contains prose and not code. */
function isProse(name: string): boolean {
  const language = languageOf(name)
  return language === undefined || language.name === 'Markdown'
}

const BASICS: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  rectangularSelection(),
  crosshairCursor(),
  highlightActiveLine(),
  highlightSelectionMatches(),
]

const KEYS = [
  ...closeBracketsKeymap,
  ...defaultKeymap,
  ...historyKeymap,
  ...foldKeymap,
  ...completionKeymap,
  { key: 'F3', run: findNext, shift: findPrevious, preventDefault: true },
  { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
  { key: 'Escape', run: closeSearchPanel },
  indentWithTab,
]

/** Translations of the few texts that the library shows itself. */
function phrases(): Record<string, string> {
  return {
    'Fold line': t('editor.fold'),
    'Unfold line': t('editor.unfold'),
    unfold: t('editor.unfold'),
    'folded code': t('editor.folded'),
    Completions: t('editor.completions'),
  }
}
