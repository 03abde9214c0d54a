import { useSignals } from '@preact/signals-react/runtime'
import { memo } from 'react'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import type { UploadGroup } from '#ui/uploads/queue/groups.ts'
import { abortGroup } from '#ui/uploads/queue/queue.ts'
import { nameOf } from '#wire/paths.ts'
import { UploadItem } from './UploadItem.tsx'

/** A folder that is uploaded, as one row. A leaf component: only it renders with each update. */
export const UploadGroupRow = memo(function UploadGroupRow({ group }: { group: UploadGroup }) {
  useSignals()
  const { t } = useTranslation()
  const { state, files, done, totalBytes, sentBytes } = group.shown.value
  const name = nameOf(group.group)
  const fraction = totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : done / files
  const counted = { count: files, done: formatNumber(done), value: formatNumber(files) }
  return (
    <UploadItem
      name={name}
      isDir
      state={state}
      fraction={fraction}
      detail={t('uploads.ofFiles', counted)}
      onAbort={() => void abortAfterQuestion(group, files - done)}
    />
  )
})

async function abortAfterQuestion({ group }: UploadGroup, count: number): Promise<void> {
  if (await ask({ name: 'abortUploads', count })) abortGroup(group)
}
