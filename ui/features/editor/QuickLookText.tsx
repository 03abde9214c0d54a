import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { decodeText } from '#ui/lib/text/text-bytes.ts'
import { bytes, loadBytes } from '#ui/state/file/bytes.ts'
import { chosenEncoding } from '#ui/state/file/chosen-encodings.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { TextView } from './markdown/TextView.tsx'

/** Loads a text and shows it read-only. */
export function QuickLookText({ file }: { file: Entry }) {
  const { t } = useTranslation()
  const { path, value, fault } = useSnapshot(bytes)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `modified` changes with the content
  useEffect(() => loadBytes(parsePath(file.path)), [file.path, file.modified])
  const isLoadedFile = path === file.path
  const text = useMemo(
    () =>
      isLoadedFile && value
        ? decodeText(value as Uint8Array, chosenEncoding(file.path)).text
        : undefined,
    [isLoadedFile, value, file.path],
  )
  if (isLoadedFile && fault) {
    return (
      <Empty
        picture={<Icon name="triangle-alert" />}
        title={t('editor.unreadable')}
        hint={faultText(fault)}
      />
    )
  }
  if (text === undefined) return <Loading />
  return <TextView name={file.name} path={parsePath(file.path)} text={text} />
}
