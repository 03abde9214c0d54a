import { type ReactNode, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import { adoptTarget, type NewestShare, removeShare } from '#ui/state/sharing/shares.ts'
import type { Share } from '#wire/api/share.ts'
import { autofocus } from '../parts/autofocus.ts'
import { LocalAddressNotice } from '../parts/LocalAddressNotice.tsx'
import { ShareLink } from './ShareLink.tsx'
import './ShareLinks.css'

interface ShareLinksProps {
  title: string
  hint: string
  shares: readonly Share[]
  /** Whether each share has the name of its entry, because the shares are of several entries. */
  showsNames?: boolean
  /** The share that was just created. Most users copy its link and its password next. */
  newest?: NewestShare | undefined
  /** A button beside the one that closes the dialog. */
  action: ReactNode
  onClose(): void
  /** Shown above the links. */
  children?: ReactNode
}

/** A list of shares, to copy or delete. */
export function ShareLinks(props: ShareLinksProps) {
  const { title, hint, shares, showsNames = false, newest, action, onClose, children } = props
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

  async function adopt(share: Share): Promise<void> {
    setProblem(undefined)
    try {
      await adoptTarget(share)
      toastSuccess(t('share.lost.adopted'))
    } catch (error) {
      setProblem(faultText(error))
    }
  }

  return (
    <Dialog
      title={title}
      hint={hint}
      wide
      onClose={onClose}
      actions={
        <>
          {action}
          <Button tone="accent" ref={newest || showsNames ? null : autofocus} onClick={onClose}>
            {t('share.done')}
          </Button>
        </>
      }
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      <LocalAddressNotice />
      {children}
      <ul className="ShareLinks" aria-label={t('share.links')}>
        {shares.map((share) => (
          <ShareLink
            key={share.hash}
            share={share}
            showsName={showsNames}
            newest={share.hash === newest?.hash ? newest : undefined}
            copied={copied}
            onCopy={(text, success) => void copyText(text, success)}
            onDelete={() => void remove(share)}
            onAdopt={() => void adopt(share)}
          />
        ))}
      </ul>
    </Dialog>
  )
}
