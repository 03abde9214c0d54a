import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useViewerContext } from '#ui/state/action-context.ts'
import { rotatesWithoutLoss, saveRotation } from '#ui/state/file/picture-edits.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import './SaveRotation.css'

/** Saves the rotation of a picture, if the user may and the server can. The earlier content stays as a version. */
export function SaveRotation({ file, degrees }: { file: FileEntry; degrees: number }) {
  const { t } = useTranslation()
  const { may, share, isQuickLook } = useViewerContext()
  const [isSaving, setSaving] = useState(false)
  const isLossless = rotatesWithoutLoss(file)
  if (isLossless === undefined || share || isQuickLook || !may('modify')) return null

  async function save(): Promise<void> {
    setSaving(true)
    await saveRotation(file, degrees)
    setSaving(false)
  }

  return (
    <div className="SaveRotation">
      <Button
        tone="accent"
        disabled={isSaving}
        data-tip={t(isLossless ? 'viewer.withoutLoss' : 'viewer.encodedAgain')}
        onClick={() => void save()}
      >
        {t('viewer.saveRotation')}
      </Button>
    </div>
  )
}
