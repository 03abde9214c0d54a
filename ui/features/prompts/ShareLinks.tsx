import { useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { copy } from '#ui/state/copy.ts'
import { ask } from '#ui/state/prompts.ts'
import { type NewestShare, removeShare } from '#ui/state/shares.ts'
import { toastSuccess } from '#ui/state/toasts.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import type { Share } from '#wire/share.ts'
import { autofocus } from './autofocus.ts'
import { ShareLink } from './ShareLink.tsx'
import './ShareLinks.css'

interface ShareLinksProps {
  path: TreePath
  isDir: boolean
  shares: readonly Share[]
  /** The share that was just created. Most users copy its link and its password next. */
  newest: NewestShare | undefined
  onNew(): void
  onClose(): void
}

/** All shares of one entry: copy, delete, or create another. */
export function ShareLinks({ path, isDir, shares, newest, onNew, onClose }: ShareLinksProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string>()
  const [copied, setCopied] = useState<string>()

  async function copyText(text: string, success: string): Promise<void> {
    setProblem(undefined)
    const isCopied = await copy(text, { success, onError: setProblem })
    if (isCopied) setCopied(text)
  }

  async function remove(share: Share): Promise<void> {
    setProblem(undefined)
    if (!(await ask({ name: 'shareDelete', share }))) return
    try {
      await removeShare(share)
      toastSuccess(t('share.deleted'))
    } catch (error) {
      setProblem(faultText(error))
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
      {problem && <Notice tone="danger">{problem}</Notice>}
      <ul className="ShareLinks" aria-label={t('share.links')}>
        {shares.map((share) => (
          <ShareLink
            key={share.hash}
            share={share}
            newest={share.hash === newest?.hash ? newest : undefined}
            copied={copied}
            onCopy={(text, success) => void copyText(text, success)}
            onDelete={() => void remove(share)}
          />
        ))}
      </ul>
    </Dialog>
  )
}
