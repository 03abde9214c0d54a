import { useSignals } from '@preact/signals-react/runtime'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/Button.tsx'
import { Spinner } from '#ui/components/Spinner.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { phase } from '#ui/uploads/signals.ts'

/** Uploading as the one button with words: it shows that files are on their way, then that all arrived. */
export function UploadButton({ now }: { now: ActionContext }) {
  useSignals()
  const { t } = useTranslation()
  const upload = actionOf('upload')
  if (!upload.when(now)) return null
  const active = phase.value === 'active'
  const icon = phase.value === 'done' ? 'circle-check' : upload.icon
  return (
    <Button
      tone="accent"
      aria-busy={active}
      {...(!active && { icon })}
      onClick={() => perform(upload)}
    >
      {active && (
        <span aria-hidden="true">
          <Spinner label={t('uploads.label')} />
        </span>
      )}
      {t(upload.label)}
    </Button>
  )
}
