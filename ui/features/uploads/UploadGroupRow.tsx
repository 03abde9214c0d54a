import { useSignals } from '@preact/signals-react/runtime'
import { memo } from 'react'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Name } from '#ui/components/Name.tsx'
import { ProgressBar } from '#ui/components/ProgressBar.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ask } from '#ui/state/prompts.ts'
import type { UploadGroup } from '#ui/uploads/groups.ts'
import { abortGroup } from '#ui/uploads/queue.ts'
import { nameOf } from '#wire/paths.ts'
import './UploadRow.css'

/** A folder on its way, with all below it as one. A leaf: it alone follows its numbers. */
export const UploadGroupRow = memo(function UploadGroupRow({ group }: { group: UploadGroup }) {
  useSignals()
  const { t } = useTranslation()
  const { state, files, done, totalBytes, sentBytes } = group.shown.value
  const name = nameOf(group.group)
  const share = totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : done / files
  const moves = state === 'active' || state === 'waiting'
  return (
    <div className="UploadRow" data-state={state}>
      <FileIcon entry={{ name, isDir: true, type: '' }} />
      <div className="UploadRow__main">
        <div className="UploadRow__line">
          <Name>{name}</Name>
          <bdi>
            {t('uploads.ofFiles', {
              count: files,
              done: formatNumber(done),
              value: formatNumber(files),
            })}
          </bdi>
        </div>
        {moves && <ProgressBar value={share} max={1} label={t('uploads.progressOf', { name })} />}
      </div>
      <div className="UploadRow__end">
        {(moves || state === 'queued') && (
          <IconButton
            icon="x"
            size="s"
            label={t('uploads.abort', { name })}
            onClick={() => void abortAfterQuestion(group, files - done)}
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
})

async function abortAfterQuestion({ group }: UploadGroup, count: number): Promise<void> {
  if (await ask({ name: 'abortUploads', count })) abortGroup(group)
}
