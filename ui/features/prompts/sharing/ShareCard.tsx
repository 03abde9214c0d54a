import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { absoluteUrl, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import { createShare, type NewestShare, shares } from '#ui/state/sharing/shares.ts'
import type { NewShare } from '#wire/api/share.ts'
import { nameOf } from '#wire/paths.ts'
import type { CardProps } from '../parts/card.ts'
import { ShareForm } from './ShareForm.tsx'
import { ShareLinks } from './ShareLinks.tsx'

/** The shares of one entry, and the form for a new one; without shares the form is shown at once. */
export function ShareCard({ question: { path, isDir }, onCancel }: CardProps<'share'>) {
  const { t } = useTranslation()
  const { items } = useSnapshot(shares)
  const [isCreating, setCreating] = useState(false)
  const [newest, setNewest] = useState<NewestShare>()
  const hasNone = items.length === 0

  async function create(options: NewShare): Promise<void> {
    const { hash } = await createShare(path, isDir, options)
    setNewest({ hash, password: options.password ?? '' })
    setCreating(false)
    const url = absoluteUrl(withBase(sharePageUrl(hash)))
    // If the browser refuses access to the clipboard, the focused copy button is still there.
    const onError = () => toastSuccess(t('share.created'))
    await copy(url, { success: t('share.createdCopied'), onError })
  }

  if (!isCreating && !hasNone) {
    return (
      <ShareLinks
        title={t('share.title', { name: nameOf(path) || t('places.home') })}
        hint={t(`share.hint.${isDir ? 'folder' : 'file'}`)}
        shares={items}
        newest={newest}
        action={
          <Button icon="plus" data-push onClick={() => setCreating(true)}>
            {t('share.newLink')}
          </Button>
        }
        onClose={onCancel}
      />
    )
  }
  return (
    <ShareForm
      title={t('share.newTitle', { name: nameOf(path) || t('places.home') })}
      hint={t(`share.hint.${isDir ? 'folder' : 'file'}`)}
      action={t('share.create')}
      onCreate={create}
      onCancel={hasNone ? onCancel : () => setCreating(false)}
    />
  )
}
