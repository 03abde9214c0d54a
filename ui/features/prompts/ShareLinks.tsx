import { useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { type MessageKey, useTranslation } from '#ui/i18n/i18n.ts'
import { copyText } from '#ui/lib/clipboard.ts'
import { ask } from '#ui/state/prompts.ts'
import { removeShare } from '#ui/state/shares.ts'
import { toastSuccess } from '#ui/state/toasts.ts'
import { Fault, type FaultCode } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import type { Share } from '#wire/share.ts'
import { autofocus } from './autofocus.ts'
import { ShareLink } from './ShareLink.tsx'
import './ShareLinks.css'

interface ShareLinksProps {
  path: TreePath
  isDir: boolean
  links: readonly Share[]
  /** The hash of the link just made: most people copy it next. */
  newest: string | undefined
  onNew(): void
  onClose(): void
}

/** Every link to one thing: copy, delete, or make another. */
export function ShareLinks({ path, isDir, links, newest, onNew, onClose }: ShareLinksProps) {
  const { t } = useTranslation()
  const [trouble, setTrouble] = useState<string>()
  const [copied, setCopied] = useState<string>()

  async function copy(url: string): Promise<void> {
    setTrouble(undefined)
    try {
      await copyText(url)
      setCopied(url)
      toastSuccess(t('share.copied'))
    } catch (error) {
      const words = error instanceof Fault ? CLIPBOARD_WORDS[error.code] : undefined
      setTrouble(words ? t(words) : faultText(error))
    }
  }

  async function remove(share: Share): Promise<void> {
    setTrouble(undefined)
    if (!(await ask({ name: 'shareDelete', share }))) return
    try {
      await removeShare(share)
      toastSuccess(t('share.deleted'))
    } catch (error) {
      setTrouble(faultText(error))
    }
  }

  return (
    <Dialog
      title={t('share.title', { name: nameOf(path) || t('places.home') })}
      hint={t(`share.hint.${isDir ? 'folder' : 'file'}`)}
      wide
      onClose={onClose}
      actions={
        <>
          <Button icon="plus" data-push onClick={onNew}>
            {t('share.newLink')}
          </Button>
          <Button tone="accent" ref={newest ? null : autofocus} onClick={onClose}>
            {t('share.done')}
          </Button>
        </>
      }
    >
      {trouble && <Notice tone="danger">{trouble}</Notice>}
      <ul className="ShareLinks" aria-label={t('share.links')}>
        {links.map((share) => (
          <ShareLink
            key={share.hash}
            share={share}
            isNew={share.hash === newest}
            copied={copied}
            onCopy={(url) => void copy(url)}
            onDelete={() => void remove(share)}
          />
        ))}
      </ul>
    </Dialog>
  )
}

/** What copying may fail with (spec section 5). */
const CLIPBOARD_WORDS: Partial<Record<FaultCode, MessageKey>> = {
  badRequest: 'share.clipboard.badRequest',
  forbidden: 'share.clipboard.forbidden',
  unsupported: 'share.clipboard.unsupported',
}
