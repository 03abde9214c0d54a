import { useMemo, useState } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { EncodingSelect } from '#ui/components/fields/EncodingSelect.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { TextView } from '#ui/features/editor/markdown/TextView.tsx'
import type { SharedReaderProps } from '#ui/features/share/file/SharePreview.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { decodeText } from '#ui/lib/text/text-bytes.ts'
import { publicFileUrl, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { chosenEncoding, rememberEncoding } from '#ui/state/file/chosen-encodings.ts'
import { readSharedContent } from '#ui/state/sharing/public-share.ts'
import './SharedText.css'

/** A read-only text in a share; its relative URLs resolve to paths in the same share. */
export function SharedText({
  share: { hash, token },
  name,
  path,
}: Omit<SharedReaderProps, 'kind'>) {
  const { t } = useTranslation()
  const result = useAsync(`${hash} ${path}`, (signal) =>
    readSharedContent({ hash, token }, path, signal),
  )
  const key = `share ${hash} ${path}`
  const [choice, setChoice] = useState<{ key: string; encoding: string }>()
  const chosen = choice?.key === key ? choice.encoding : chosenEncoding(key)
  const bytes = result.status === 'loaded' ? result.value : undefined
  const decoded = useMemo(() => bytes && decodeText(bytes, chosen), [bytes, chosen])
  const urls = useMemo(
    () => ({
      picture: (inside: typeof path) => publicFileUrl({ hash, token }, inside, true),
      page: (inside: typeof path, asFolder: boolean) => sharePageUrl(hash, inside, asFolder),
    }),
    [hash, token],
  )
  if (result.status === 'loading') return <Loading />
  if (result.status === 'failed') return <Notice tone="danger">{faultText(result.error)}</Notice>
  if (!decoded) return null
  const { text, encoding, isGuess, isLossless } = decoded
  const choose = (chosen: string) => {
    setChoice({ key, encoding: chosen })
    rememberEncoding(key, chosen)
  }
  const view = <TextView name={name} path={path} text={text} urls={urls} />
  if (isLossless) return view
  return (
    <div className="SharedText">
      <div className="SharedText__encoding">
        {isGuess && (
          <Notice>{t('editor.probablyShown', { encoding: encoding.toUpperCase() })}</Notice>
        )}
        <EncodingSelect value={encoding} onChange={choose} />
      </div>
      {view}
    </div>
  )
}
