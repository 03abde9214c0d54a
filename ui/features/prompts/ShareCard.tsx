import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/location.ts'
import { absoluteUrl, sharePageUrl } from '#ui/lib/share-urls.ts'
import { copy } from '#ui/state/copy.ts'
import { type NewestShare, shares } from '#ui/state/shares.ts'
import { toastSuccess } from '#ui/state/toasts.ts'
import type { Share } from '#wire/share.ts'
import type { CardProps } from './card.ts'
import { ShareForm } from './ShareForm.tsx'
import { ShareLinks } from './ShareLinks.tsx'

/** The shares of one entry, and the form for a new one; without shares the form is shown at once. */
export function ShareCard({ question: { path, isDir }, onCancel }: CardProps<'share'>) {
  const { t } = useTranslation()
  const { items } = useSnapshot(shares)
  const [creating, setCreating] = useState(false)
  const [newest, setNewest] = useState<NewestShare>()
  const none = items.length === 0

  async function show({ hash }: Share, password: string): Promise<void> {
    setNewest({ hash, password })
    setCreating(false)
    const url = absoluteUrl(withBase(sharePageUrl(hash)))
    // If the browser refuses access to the clipboard, the focused copy button is still there.
    const onError = () => toastSuccess(t('share.created'))
    await copy(url, { success: t('share.createdCopied'), onError })
  }

  if (!creating && !none) {
    return (
      <ShareLinks
        path={path}
        isDir={isDir}
        shares={items}
        newest={newest}
        onNew={() => setCreating(true)}
        onClose={onCancel}
      />
    )
  }
  return (
    <ShareForm
      path={path}
      isDir={isDir}
      onCreated={(share, password) => void show(share, password)}
      onCancel={none ? onCancel : () => setCreating(false)}
    />
  )
}
