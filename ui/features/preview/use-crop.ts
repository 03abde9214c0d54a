/** The crop of a picture: from the choice of a part until it is saved or left. */
import { useState } from 'react'
import { useViewerContext } from '#ui/state/action-context.ts'
import { saveCrop, savesWithoutLoss } from '#ui/state/file/picture-edits.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import type { PictureArea } from '#wire/api/media.ts'
import { wholeOf } from './crop.ts'
import type { PixelSize } from './zoom.ts'

export interface Crop {
  /** The part that is chosen; undefined while none is. */
  area: PictureArea | undefined
  isSaving: boolean
  /** Undefined if the user may not, or the server cannot crop this picture. */
  start: (() => void) | undefined
  choose(area: PictureArea): void
  leave(): void
  save(): void
}

/**
 * @param size of the whole picture in its own pixels; undefined until it is known
 * @param onStart shows the whole picture as it is stored
 */
export function useCrop(file: FileEntry, size: PixelSize | undefined, onStart: () => void): Crop {
  const { may, share, isQuickLook } = useViewerContext()
  const [area, setArea] = useState<PictureArea>()
  const [isSaving, setSaving] = useState(false)
  const leave = () => setArea(undefined)
  const isPossible = savesWithoutLoss(file) !== undefined && !share && !isQuickLook && may('modify')

  function start(whole: PixelSize): void {
    onStart()
    setArea(wholeOf(whole))
  }

  async function save(): Promise<void> {
    if (!area || !size || isSaving) return
    const isWhole = area.width === size.width && area.height === size.height
    if (!isWhole) {
      setSaving(true)
      await saveCrop(file, area)
      setSaving(false)
    }
    leave()
  }

  return {
    area,
    isSaving,
    start: isPossible && size ? () => start(size) : undefined,
    choose: setArea,
    leave,
    save: () => void save(),
  }
}
