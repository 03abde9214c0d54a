import type { ReactNode } from 'react'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { ProgressBar } from '#ui/components/feedback/ProgressBar.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { LocalPicture } from '#ui/components/pictures/LocalPicture.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { TaskState } from '#ui/uploads/queue/tasks.ts'
import './UploadItem.css'

interface UploadItemProps {
  name: string
  isDir: boolean
  /** The file on this device, whose picture is shown. */
  file?: File | undefined
  state: TaskState
  /** The fraction of bytes sent, from 0 to 1. */
  fraction: number
  /** Text beside the name, such as its size. */
  detail: string
  /** Why it failed. */
  problem?: string | undefined
  /** A link to what helps; it has the second line of the problem. */
  remedy?: ReactNode
  /** A button before the last one. */
  retry?: ReactNode
  onAbort(): void
}

/** The row of a file or folder that is uploaded. */
export function UploadItem(props: UploadItemProps) {
  const { t } = useTranslation()
  const { name, isDir, file, state, fraction, detail, problem, remedy, retry, onAbort } = props
  const hasProgress = state === 'active' || state === 'waiting'
  return (
    <div className="UploadItem" data-state={state}>
      {file ? (
        <LocalPicture name={name} file={file} />
      ) : (
        <FileIcon entry={{ name, isDir, type: '' }} />
      )}
      <div className="UploadItem__main">
        <div className="UploadItem__line">
          <Name>{name}</Name>
          <bdi>{detail}</bdi>
        </div>
        {hasProgress && (
          <ProgressBar value={fraction} max={1} label={t('uploads.progressOf', { name })} />
        )}
        {problem && (
          <p
            className="UploadItem__reason"
            data-has-remedy={remedy ? '' : undefined}
            title={problem}
          >
            {problem}
          </p>
        )}
        {remedy && <p className="UploadItem__remedy">{remedy}</p>}
      </div>
      <div className="UploadItem__end">
        {(hasProgress || state === 'queued') && (
          <IconButton icon="x" size="s" label={t('uploads.abort', { name })} onClick={onAbort} />
        )}
        {retry}
        {state === 'done' && (
          <span role="img" aria-label={t('uploads.arrived')}>
            <Icon name="circle-check" />
          </span>
        )}
      </div>
    </div>
  )
}
