import { useSignals } from '@preact/signals-react/runtime'
import { memo } from 'react'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Name } from '#ui/components/Name.tsx'
import { ProgressBar } from '#ui/components/ProgressBar.tsx'
import { formatPercent, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ask } from '#ui/state/prompts.ts'
import { toastError } from '#ui/state/toasts.ts'
import { abortUpload, retryUpload } from '#ui/uploads/queue.ts'
import type { UploadTask } from '#ui/uploads/tasks.ts'
import { isFault } from '#wire/fault.ts'
import { nameOf } from '#wire/paths.ts'
import { reasonFor } from './reason.ts'
import './UploadRow.css'

/** One upload. A leaf: it alone follows its task. */
export const UploadRow = memo(function UploadRow({ task }: { task: UploadTask }) {
  useSignals()
  const { t } = useTranslation()
  const { state, sentBytes, error } = task.shown.value
  const name = nameOf(task.path)
  const size = task.sizeBytes
  const share = size > 0 ? Math.min(1, sentBytes / size) : 0
  const isTaken = isFault(error, 'conflict')
  const moves = state === 'active' || state === 'waiting'
  return (
    <div className="UploadRow" data-state={state}>
      <FileIcon entry={{ name, isDir: !task.upload && task.attempted, type: '' }} />
      <div className="UploadRow__main">
        <div className="UploadRow__line">
          <Name>{name}</Name>
          <bdi>{moves ? formatPercent(Math.floor(share * 100) / 100) : sizeText()}</bdi>
        </div>
        {moves && <ProgressBar value={share} max={1} label={t('uploads.progressOf', { name })} />}
        {state === 'failed' && (
          <p className="UploadRow__why" title={reasonFor(error, share)}>
            {reasonFor(error, share)}
          </p>
        )}
      </div>
      <div className="UploadRow__end">
        {(moves || state === 'queued') && (
          <IconButton
            icon="x"
            size="s"
            label={t('uploads.abort', { name })}
            onClick={() => abortAfterQuestion(task)}
          />
        )}
        {state === 'failed' && task.upload && (
          <IconButton
            icon={isTaken ? 'ellipsis' : 'rotate-cw'}
            size="s"
            label={t(isTaken ? 'uploads.decide' : 'uploads.retry', { name })}
            onClick={() => void retryUpload(task.id).catch((failure) => toastError(failure, name))}
          />
        )}
        {state === 'done' && (
          <span role="img" aria-label={t('uploads.arrived')}>
            <Icon name="circle-check" />
          </span>
        )}
      </div>
    </div>
  )

  function sizeText(): string {
    return task.upload ? formatSize(size) : ''
  }
})

/** What has not begun is nothing to lose. */
async function abortAfterQuestion(task: UploadTask): Promise<void> {
  const loses = task.state !== 'queued'
  if (!loses || (await ask({ name: 'abortUploads', count: 1 }))) abortUpload(task.id)
}
