import type { ComponentProps } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { autofocus } from './autofocus.ts'

type ButtonProps = Pick<ComponentProps<typeof Button>, 'tone' | 'icon' | 'disabled' | 'form'>

interface ConfirmCardProps
  extends Omit<ComponentProps<typeof Dialog>, 'onClose' | 'actions'>,
    ButtonProps {
  /** The label of the button that confirms. With `form`, it submits the form with this id. */
  action: string
  /** The label of the other button. */
  cancel?: string
  /** Whether the button that confirms has the focus, so that Enter confirms. */
  isFirst?: boolean
  onConfirm?(): void
  onCancel(): void
}

/** A question with two buttons: one cancels, the other one confirms or submits the form in the card. */
export function ConfirmCard(props: ConfirmCardProps) {
  const { tone = 'accent', icon, disabled, form, action, cancel, isFirst, ...rest } = props
  const { onConfirm, onCancel, ...dialog } = rest
  const { t } = useTranslation()
  return (
    <Dialog
      {...dialog}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{cancel ?? t('common.cancel')}</Button>
          <Button
            {...{ tone, icon, disabled, form }}
            type={form === undefined ? 'button' : 'submit'}
            ref={isFirst ? autofocus : undefined}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    />
  )
}
