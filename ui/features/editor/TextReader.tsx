import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { EncodingSelect } from '#ui/components/fields/EncodingSelect.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { decodeText } from '#ui/lib/text/text-bytes.ts'
import { bytes, loadBytes } from '#ui/state/file/bytes.ts'
import { chosenEncoding, rememberEncoding } from '#ui/state/file/chosen-encodings.ts'
import { type FileSource, useFileSource } from '#ui/state/file/file-source.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import { TextView } from './markdown/TextView.tsx'
import './TextReader.css'

/** Loads a text and shows it read-only. The encoding of an old text can be chosen. */
export function TextReader({ file }: { file: Entry }) {
  const { t } = useTranslation()
  const source = useFileSource()
  const path = parsePath(file.path)
  const { path: loadedPath, value, fault } = useSnapshot(bytes)
  // The file is loaded again after it was saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `modified` changes with the content
  useEffect(() => loadBytes(parsePath(file.path), source), [file.path, file.modified, source])
  const urls = useMemo(() => treeUrlsOf(source), [source])
  const key = source.keyOf(path)
  const [choice, setChoice] = useState<{ key: string; encoding: string }>()
  const chosen = choice?.key === key ? choice.encoding : chosenEncoding(key)
  const isLoaded = loadedPath === path
  const decoded = useMemo(
    // The snapshot of a `ref` is the bytes themselves.
    () => (isLoaded && value ? decodeText(value as Uint8Array, chosen) : undefined),
    [isLoaded, value, chosen],
  )
  if (isLoaded && fault) {
    return (
      <Empty
        picture={<Icon name="triangle-alert" />}
        title={t('editor.unreadable')}
        hint={faultText(fault)}
      />
    )
  }
  if (!decoded) return <Loading />
  const { text, encoding, isGuess, isLossless } = decoded
  function choose(encoding: string) {
    setChoice({ key, encoding })
    rememberEncoding(key, encoding)
  }
  const view = <TextView name={file.name} path={path} text={text} urls={urls} />
  if (isLossless) return view
  return (
    <div className="TextReader">
      <div className="TextReader__encoding">
        {isGuess && (
          <Notice>{t('editor.probablyShown', { encoding: encoding.toUpperCase() })}</Notice>
        )}
        <EncodingSelect value={encoding} onChange={choose} />
      </div>
      {view}
    </div>
  )
}

function treeUrlsOf(source: FileSource) {
  return { page: source.page, picture: (path: TreePath) => source.content(path, true) }
}
