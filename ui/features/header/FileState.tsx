import { useSnapshot } from 'valtio'
import { canStep } from '#ui/actions/open.ts'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { text } from '#ui/state/file/text.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import './FileState.css'

/** The state beside the name of the shown file: whether its text is saved, or information of its viewer. */
export function FileState() {
  const { t } = useTranslation()
  const context = useActionContext()
  const { page, targets, rank } = context
  const { isDirty, isSaving } = useSnapshot(text)
  const { info } = useSnapshot(viewerState)
  const [file] = targets
  if (page !== 'file' || !file) return null
  const number = canStep(context) && rank && rank.of > 1 ? rank : undefined
  return (
    <span className="FileState" role="status">
      {(isDirty || isSaving) && (
        <>
          <span className="FileState__dot" />
          <span className="FileState__text">
            {t(isSaving ? 'editor.saving' : 'editor.unsaved')}
          </span>
        </>
      )}
      {number && (
        <span>
          {t('gallery.count', { at: formatNumber(number.at), of: formatNumber(number.of) })}
        </span>
      )}
      {info && (
        <span className="wide-only">
          {number && '· '}
          <bdi>{info}</bdi> · <bdi>{formatSize(file.size)}</bdi>
        </span>
      )}
    </span>
  )
}
