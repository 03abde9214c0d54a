import { useSnapshot } from 'valtio'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys } from '#ui/lib/gestures/keys.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { text } from '#ui/state/file/text.ts'

interface SaveButtonProps {
  context: ActionContext
  /** Whether the label is hidden, because the window has no space for it beside the file's name. */
  isIconOnly?: boolean
}

/** The save button of the text editor, the only button with a label there. */
export function SaveButton({ context, isIconOnly = false }: SaveButtonProps) {
  const { t } = useTranslation()
  const { isDirty, isSaving } = useSnapshot(text)
  const save = actionOf('save')
  if (!save.when(context)) return null
  const [keys = ''] = save.keys ?? []
  return (
    <Button
      tone="accent"
      icon="save"
      disabled={!isDirty}
      aria-busy={isSaving}
      aria-label={t(save.label)}
      data-tip={t(save.label)}
      data-keys={keys}
      aria-keyshortcuts={ariaKeys(keys)}
      onClick={() => perform(save)}
    >
      {!isIconOnly && t(save.label)}
    </Button>
  )
}
