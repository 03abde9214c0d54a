import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import type { SharedReaderProps } from '#ui/features/share/file/SharePreview.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { download } from '#ui/lib/page/download.ts'
import { publicFileUrl } from '#ui/lib/urls/share-urls.ts'
import { readSharedContent } from '#ui/state/sharing/public-share.ts'
import { DocumentReader } from './DocumentReader.tsx'

const SharedText = lazyPart(async () => (await import('./SharedText.tsx')).SharedText)

/** A text or a document in a share. */
export function SharedReader({ share, kind, name, path }: SharedReaderProps) {
  const { t } = useTranslation()
  if (kind === 'text') return <SharedText share={share} name={name} path={path} />
  return (
    <DocumentReader
      key={path}
      viewer={kind}
      name={name}
      url={publicFileUrl(share, path)}
      read={(signal) => readSharedContent(share, path, signal)}
      renderFrame={(content) => content}
      renderFailure={(hint) => (
        <Empty
          picture={<Icon name="triangle-alert" />}
          title={shownName(name).text}
          hint={hint}
          actions={
            <Button icon="download" onClick={() => download(publicFileUrl(share, path))}>
              {t('actions.download')}
            </Button>
          }
        />
      )}
    />
  )
}
