import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { savesWithoutLoss } from '#ui/state/file/picture-edits.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import type { PictureArea } from '#wire/api/media.ts'
import { sizeText } from './CropArea.tsx'
import type { Crop } from './use-crop.ts'
import './CropTools.css'

interface CropToolsProps {
  file: FileEntry
  area: PictureArea
  crop: Crop
}

/** The tools below a picture while a part of it is chosen. */
export function CropTools({ file, area, crop }: CropToolsProps) {
  const { t } = useTranslation()
  return (
    <div className="CropTools" role="toolbar" aria-label={t('viewer.crop')}>
      <span className="CropTools__size">{sizeText(area)}</span>
      <Button onClick={crop.leave}>{t('common.cancel')}</Button>
      <Button
        tone="accent"
        disabled={crop.isSaving}
        data-tip={t(savesWithoutLoss(file) ? 'viewer.withoutLoss' : 'viewer.encodedAgain')}
        onClick={crop.save}
      >
        {t('viewer.saveCrop')}
      </Button>
    </div>
  )
}
