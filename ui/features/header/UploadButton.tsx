import { useSignals } from '@preact/signals-react/runtime'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { Spinner } from '#ui/components/feedback/Spinner.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { phase } from '#ui/uploads/queue/signals.ts'
import { MoreButton } from './MoreButton.tsx'
import './UploadButton.css'

/** The button that uploads files; its menu uploads folders. It shows that uploads are running, then a checkmark. */
export function UploadButton({ context }: { context: ActionContext }) {
  useSignals()
  const { t } = useTranslation()
  const upload = actionOf('upload')
  if (!upload.when(context)) return null
  const isActive = phase.value === 'active'
  const icon = phase.value === 'done' ? 'circle-check' : upload.icon
  return (
    <span className="UploadButton">
      <Button
        tone="accent"
        aria-busy={isActive}
        {...(!isActive && { icon })}
        onClick={() => perform(upload)}
      >
        {isActive && (
          <span aria-hidden="true">
            <Spinner label={t('actions.upload')} />
          </span>
        )}
        {t(upload.label)}
      </Button>
      <MoreButton surface="upload">
        {(open) => (
          <Button
            tone="accent"
            aria-label={t('uploads.more')}
            data-tip={t('uploads.more')}
            aria-haspopup="menu"
            onClick={(event) => open(event.currentTarget)}
          >
            <Icon name="chevron-down" />
          </Button>
        )}
      </MoreButton>
    </span>
  )
}
