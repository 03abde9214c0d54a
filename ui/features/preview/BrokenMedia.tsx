import { useAsync } from '#ui/components/use-async.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isDamagedMedia } from '#ui/state/media-damage.ts'
import type { FileEntry } from '#wire/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { FallbackCard } from './FallbackCard.tsx'

interface BrokenMediaProps {
  file: FileEntry
  /** The reason if the file is not damaged. */
  unknownFormat: 'viewer.noFilm' | 'viewer.noSound'
}

/** A film or recording that the browser cannot play. */
export function BrokenMedia({ file, unknownFormat }: BrokenMediaProps) {
  const { t } = useTranslation()
  const path = parsePath(file.path)
  const damage = useAsync(path, (signal) => isDamagedMedia(file, path, signal))
  if (damage.status === 'loading') return <FallbackCard file={file} />
  const isDamaged = damage.status === 'loaded' && damage.value
  return <FallbackCard file={file} hint={t(isDamaged ? 'documents.broken' : unknownFormat)} />
}
