import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { isPictureName } from '#ui/lib/urls/pictures.ts'
import { useObjectUrl } from '../hooks/use-object-url.ts'
import { FileIcon } from '../icons/FileIcon.tsx'
import { Thumb } from './Thumb.tsx'

interface LocalPictureProps {
  name: string
  /** The file on this device. */
  file: File
}

/** The picture in a file that the server does not have yet; the icon of its kind for other files. */
export function LocalPicture({ name, file }: LocalPictureProps) {
  const isShown = isPictureName(name) && file.size <= ON_DEMAND_LIMITS.localPictureMaxBytes
  const url = useObjectUrl(isShown ? file : undefined)
  return <Thumb src={url} fallback={<FileIcon entry={{ name, isDir: false, type: '' }} />} />
}
