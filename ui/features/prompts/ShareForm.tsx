import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { Field } from '#ui/components/Field.tsx'
import { Input } from '#ui/components/Input.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { PasswordInput } from '#ui/components/PasswordInput.tsx'
import { Select } from '#ui/components/Select.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { formatMoment, formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { createShare } from '#ui/state/shares.ts'
import { LIMITS } from '#wire/limits.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { SHARE_UNITS, type Share, type ShareUnit, shareLifetimeSec } from '#wire/share.ts'
import { autofocus } from './autofocus.ts'
import './ShareForm.css'

interface ShareFormProps {
  path: TreePath
  isDir: boolean
  onCreated(share: Share): void
  onCancel(): void
}

// The keys of the table are its units; Object.keys widens them.
const UNITS = Object.keys(SHARE_UNITS) as ShareUnit[]

/** A new link: how long it lasts, and a password if wanted (docs/specification.md 5). */
export function ShareForm({ path, isDir, onCreated, onCancel }: ShareFormProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [amount, setAmount] = useState('')
  const [unit, setUnit] = useState<ShareUnit>('hours')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const lifetimeSec = shareLifetimeSec(amount, unit)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (lifetimeSec === undefined) return
    setBusy(true)
    setProblem(undefined)
    try {
      const lasts = lifetimeSec > 0 && { expires: amount.trim(), unit }
      const secret = password.trim()
      onCreated(await createShare(path, isDir, { ...lasts, ...(secret && { password: secret }) }))
    } catch (error) {
      setProblem(faultText(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={t('share.newTitle', { name: nameOf(path) || t('places.home') })}
      hint={t(`share.hint.${isDir ? 'folder' : 'file'}`)}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button
            tone="accent"
            type="submit"
            form={formId}
            disabled={busy || lifetimeSec === undefined}
          >
            {t('share.create')}
          </Button>
        </>
      }
    >
      <form className="ShareForm" id={formId} onSubmit={submit} autoComplete="off" noValidate>
        {problem && <Notice tone="danger">{problem}</Notice>}
        <Field
          label={t('share.lasts')}
          state={lifetimeSec === undefined ? 'bad' : undefined}
          hint={hintFor()}
        >
          <span className="ShareForm__duration">
            <Input
              value={amount}
              inputMode="numeric"
              aria-invalid={lifetimeSec === undefined}
              ref={autofocus}
              onChange={(event) => setAmount(event.target.value)}
            />
            <Select
              aria-label={t('share.unit')}
              value={unit}
              options={UNITS.map((value) => ({ value, label: t(`share.units.${value}`) }))}
              // Its options are the units.
              onChange={(event) => setUnit(event.target.value as ShareUnit)}
            />
          </span>
        </Field>
        <Field label={t('share.optionalPassword')}>
          <PasswordInput
            value={password}
            autoComplete="new-password"
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )

  function hintFor(): string {
    if (lifetimeSec === undefined) {
      return t('share.badDuration', { max: formatNumber(LIMITS.shareDurationMax) })
    }
    const end = lifetimeSec > 0 && formatMoment(new Date(Date.now() + lifetimeSec * 1000))
    return end ? t('share.until', { moment: end }) : t('share.noEnd')
  }
}
