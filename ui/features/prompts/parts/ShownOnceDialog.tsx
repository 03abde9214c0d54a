import { type ReactNode, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { QrCode } from '#ui/components/pictures/QrCode.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { autofocus } from './autofocus.ts'
import './ShownOnceDialog.css'

interface ShownOnceDialogProps {
  title: string
  hint: string
  /** What is copied, and in the QR code. */
  text: string
  /** Absent: there is no QR code. */
  qrLabel?: string
  /** The label of the button that copies the text. */
  action: string
  /** The message after the text was copied. */
  copied: string
  /** The label of the button that closes it, if nothing else shall: neither Escape nor the way back. */
  close?: string
  onClose(): void
  /** A line above it. */
  notice?: ReactNode
  /** What is shown beside the QR code: the text, and what belongs to it. */
  children: ReactNode
}

/** Shows a text that the server cannot show again, to be copied or scanned. */
export function ShownOnceDialog({
  title,
  hint,
  text,
  qrLabel,
  action,
  copied,
  close,
  onClose,
  notice,
  children,
}: ShownOnceDialogProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string>()
  return (
    <Dialog
      title={title}
      hint={hint}
      wide
      onClose={close === undefined ? onClose : undefined}
      actions={
        <>
          <Button data-push onClick={onClose}>
            {close ?? t('common.close')}
          </Button>
          <Button
            tone="accent"
            icon="copy"
            ref={autofocus}
            onClick={() => {
              setProblem(undefined)
              void copy(text, { success: copied, onError: setProblem })
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      {notice}
      <div className="ShownOnceDialog">
        <div className="ShownOnceDialog__text" dir="ltr">
          {children}
        </div>
        {qrLabel !== undefined && <QrCode text={text} sizePx={144} label={qrLabel} />}
      </div>
    </Dialog>
  )
}
