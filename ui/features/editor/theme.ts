/**
 * The editor's theme: the colours of the page, or those of the `--code-…` properties (`palette.ts`). The library's
 * own styles are in no cascade layer, so these are in none either.
 */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { TOKENS } from './tokens.ts'

const colours = HighlightStyle.define([
  { tag: TOKENS.keyword, color: 'var(--code-keyword)' },
  { tag: TOKENS.string, color: 'var(--code-string)' },
  { tag: TOKENS.number, color: 'var(--code-number)' },
  { tag: TOKENS.name, color: 'var(--code-name)' },
  { tag: [tags.meta, tags.quote], color: 'var(--code-comment, var(--text-3))' },
  { tag: tags.comment, color: 'var(--code-comment, var(--text-3))', fontStyle: 'italic' },
  { tag: tags.heading, color: 'var(--code-name)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  {
    tag: [tags.link, tags.url],
    color: 'var(--code-link, var(--accent-text))',
    textDecoration: 'underline',
  },
  { tag: [tags.deleted, tags.invalid], color: 'var(--danger-text)' },
])

const view = EditorView.theme({
  '&': {
    blockSize: '100%',
    color: 'var(--code-text, var(--text))',
    backgroundColor: 'var(--code-fill, transparent)',
    fontSize: 'var(--editor-text)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.7',
    fontVariantLigatures: 'none',
    scrollbarWidth: 'thin',
  },
  '.cm-content': {
    paddingBlock: 'var(--space-3)',
    caretColor: 'var(--code-cursor, var(--accent))',
  },
  '.cm-line': { paddingInline: 'var(--space-2) var(--space-4)' },
  '.cm-cursor, .cm-dropCursor': {
    borderInlineStartColor: 'var(--code-cursor, var(--accent))',
    borderInlineStartWidth: '2px',
  },
  '.cm-gutters': {
    color: 'var(--code-gutter, var(--text-3))',
    backgroundColor: 'var(--code-fill, var(--surface))',
    border: '0',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-lineNumbers .cm-gutterElement': {
    paddingInline: 'var(--editor-gutter) var(--space-1)',
    minInlineSize: 'calc(3ch + var(--editor-gutter))',
  },
  '.cm-foldGutter .cm-gutterElement': {
    paddingInline: '0 var(--space-2)',
    color: 'var(--code-gutter, var(--text-3))',
  },
  '.cm-activeLineGutter': {
    color: 'var(--code-text, var(--text))',
    backgroundColor: 'transparent',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--code-active, var(--veil-1))' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--code-selection, var(--accent-soft-2))' },
  '.cm-selectionMatch': { backgroundColor: 'var(--veil-2)' },
  '&.cm-focused .cm-matchingBracket, &.cm-focused .cm-nonmatchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--line-control)',
  },
  '.cm-searchMatch': {
    backgroundColor: 'var(--warning-soft)',
    outline: '1px solid var(--line-strong)',
    borderRadius: '2px',
  },
  '.cm-searchMatch-selected': {
    backgroundColor: 'var(--accent-soft-2)',
    outline: '1px solid var(--focus)',
  },
  '.cm-foldPlaceholder': {
    color: 'var(--text-2)',
    backgroundColor: 'var(--veil-1)',
    border: '0',
    paddingInline: 'var(--space-1)',
  },
  '.cm-specialChar': { color: 'var(--danger-text)' },
  '.cm-panels': { display: 'none' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-raised)',
    border: '0',
    borderRadius: 'var(--radius-s)',
    boxShadow: 'var(--shadow-panel)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--accent-soft-2)',
  },
})

/** The style of the text, its tokens and the controls around it, in both themes. */
export const theme: Extension = [view, syntaxHighlighting(colours)]
