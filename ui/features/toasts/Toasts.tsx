import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { undoChanges } from '#ui/actions/undo.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Icon, type IconName } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { TRASH } from '#ui/lib/page/location.ts'
import { PROJECT } from '#ui/lib/page/project.ts'
import { dismissToast, type Toast, toasts } from '#ui/state/messages/toasts.ts'
import { settings } from '#ui/state/session/settings.ts'
import './Toasts.css'

const ICONS = {
  success: 'circle-check',
  error: 'circle-alert',
  note: 'info',
} as const satisfies Record<Toast['tone'], IconName>

/** Toasts above the page. */
export function Toasts() {
  const { t } = useTranslation()
  const { shown } = useSnapshot(toasts)
  return (
    <section className="Toasts" aria-label={t('toasts.label')} aria-live="polite">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const { t } = useTranslation()
  const { DisableExternal } = useSnapshot(settings)
  return (
    <div
      className="Toasts__card appears"
      data-tone={toast.tone}
      role={toast.tone === 'error' ? 'alert' : undefined}
    >
      <Icon name={ICONS[toast.tone]} />
      <div className="Toasts__body">
        <span className="Toasts__text">{toast.text}</span>
        {toast.undo.length > 0 && (
          <button type="button" className="Toasts__undo" onClick={() => undo(toast)}>
            {t('actions.undo')}
          </button>
        )}
        {toast.isOfTrash && (
          <Link className="Toasts__undo" href={TRASH} onClick={() => dismissToast(toast.id)}>
            {t('common.openTrash')}
          </Link>
        )}
        {toast.isReportable && !DisableExternal && (
          <a
            className="Toasts__report"
            href={PROJECT.issues}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t('toasts.report')}
          </a>
        )}
      </div>
      <IconButton
        icon="x"
        size="s"
        label={t('common.dismiss')}
        onClick={() => dismissToast(toast.id)}
      />
    </div>
  )
}

function undo({ id, undo }: Pick<Toast, 'id' | 'undo'>): void {
  dismissToast(id)
  void undoChanges(undo)
}
