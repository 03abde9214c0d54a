/** A CodeMirror extension that sets the writing direction of each line from its text: for prose, not for code. */
import { type Extension, RangeSetBuilder } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

const directionByText = Decoration.line({ attributes: { dir: 'auto' } })

const marker = ViewPlugin.define(
  (view) => ({
    decorations: markLines(view),
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = markLines(update.view)
    },
  }),
  { decorations: (plugin) => plugin.decorations },
)

export const lineDirection: Extension = [EditorView.perLineTextDirection.of(true), marker]

function markLines(view: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges) {
    for (let index = from; index <= to; ) {
      const line = view.state.doc.lineAt(index)
      lines.add(line.from, line.from, directionByText)
      index = line.to + 1
    }
  }
  return lines.finish()
}
