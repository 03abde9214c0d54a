import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'
import { type ActionId, actionOf, perform } from '#ui/actions/registry.ts'
import { SURFACES } from '#ui/actions/surfaces.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import './EditorTools.css'

/** Actions that have keys on a keyboard; saving stays in the top bar. */
const ACTIONS: readonly ActionId[] = [
  'find',
  'goToLine',
  'wrapLines',
  'showRendered',
  'showText',
  'smallerText',
  'largerText',
]
/** Those of them that the top bar of a wide window has. */
const IN_BAR: ReadonlySet<ActionId> = new Set(SURFACES.bar.flat())

interface EditorToolsProps {
  /** The editor; undefined while the text is rendered. */
  view: EditorView | undefined
  readOnly: boolean
}

/**
 * The editor's buttons on touch screens and in narrow windows. They are above the text, because the on-screen keyboard
 * covers the bottom.
 */
export function EditorTools({ view, readOnly }: EditorToolsProps) {
  const { t } = useTranslation()
  const context = useActionContext()
  const isNarrow = useMedia(NARROW)
  const own = ACTIONS.filter((id) => isNarrow || !IN_BAR.has(id))
  const shown = own.map(actionOf).filter((action) => action.when(context))
  return (
    <div className="EditorTools" role="toolbar" aria-label={t('editor.tools')}>
      {view && !readOnly && (
        <>
          <IconButton
            icon="undo-2"
            label={t('editor.undo')}
            disabled={undoDepth(view.state) === 0}
            onClick={() => undo(view)}
          />
          <IconButton
            icon="redo-2"
            label={t('editor.redo')}
            disabled={redoDepth(view.state) === 0}
            onClick={() => redo(view)}
          />
          <span className="EditorTools__line" />
        </>
      )}
      {shown.map((action) => (
        <IconButton
          key={action.id}
          icon={action.icon}
          label={t(action.label)}
          {...(action.pressed && { pressed: action.pressed(context) })}
          onClick={() => perform(action)}
        />
      ))}
    </div>
  )
}
