import { actionOf, perform } from '#ui/actions/registry.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useViewerContext } from '#ui/state/action-context.ts'

/** The buttons for the previous and next file in a bar, for every kind of file. Both are always there, so that they do not move. */
export function StepButtons() {
  const { previous, next } = useViewerContext()
  if (!previous && !next) return null
  return (
    <>
      <StepButton id="previous" />
      <StepButton id="next" />
    </>
  )
}

function StepButton({ id }: { id: 'previous' | 'next' }) {
  const { t } = useTranslation()
  const action = actionOf(id)
  return (
    <IconButton
      icon={action.icon}
      mirror
      label={t(action.label)}
      disabled={!action.when(useViewerContext())}
      onClick={() => void perform(action)}
    />
  )
}
