import { useSignals } from '@preact/signals-react/runtime'
import { memo } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { diskFullText, trashBytesOf } from '#ui/i18n/faults.ts'
import { formatPercent, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { TRASH } from '#ui/lib/page/location.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { abortUpload, retryUpload } from '#ui/uploads/queue/queue.ts'
import type { UploadTask } from '#ui/uploads/queue/tasks.ts'
import { ChangedFileError } from '#ui/uploads/send/retry.ts'
import { isFault } from '#wire/fault.ts'
import { nameOf } from '#wire/paths.ts'
import { reasonFor } from './reason.ts'
import { UploadItem } from './UploadItem.tsx'

/** One upload. A leaf component: only it renders with each update of its task. */
export const UploadRow = memo(function UploadRow({ task }: { task: UploadTask }) {
  useSignals()
  const { t } = useTranslation()
  const { state, sentBytes, error } = task.shown.value
  const name = nameOf(task.path)
  const size = task.sizeBytes
  const fraction = size > 0 ? Math.min(1, sentBytes / size) : 0
  const isNameTaken = isFault(error, 'conflict')
  // The browser no longer reads a file that was changed: it must be chosen again.
  const mayRetry = task.upload && !(error instanceof ChangedFileError)
  const hasProgress = state === 'active' || state === 'waiting'
  const percent = formatPercent(Math.floor(fraction * 100) / 100)
  const trashBytes = state === 'failed' ? trashBytesOf(error) : 0
  const why =
    state === 'failed' && (trashBytes > 0 ? diskFullText(error) : reasonFor(error, fraction))
  return (
    <UploadItem
      name={name}
      isDir={task.isDir}
      file={task.upload?.file}
      state={state}
      fraction={fraction}
      detail={hasProgress ? percent : task.upload ? formatSize(size) : ''}
      problem={why || undefined}
      remedy={
        trashBytes > 0 && (
          <>
            <Link href={TRASH}>{t('common.openTrash')}</Link>
            <bdi>{formatSize(trashBytes)}</bdi>
          </>
        )
      }
      retry={
        why &&
        mayRetry && (
          <IconButton
            icon={isNameTaken ? 'ellipsis' : 'rotate-cw'}
            size="s"
            label={t(isNameTaken ? 'uploads.decide' : 'uploads.retry', { name })}
            onClick={() => void retryUpload(task.id).catch((failure) => toastError(failure, name))}
          />
        )
      }
      onAbort={() => abortAfterQuestion(task)}
    />
  )
})

/** An upload that has not begun is cancelled without a question. */
async function abortAfterQuestion(task: UploadTask): Promise<void> {
  const losesProgress = task.state !== 'queued'
  if (!losesProgress || (await ask({ name: 'abortUploads', count: 1 }))) abortUpload(task.id)
}
