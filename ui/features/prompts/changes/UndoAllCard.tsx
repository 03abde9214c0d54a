import { useState } from 'react'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { MomentInput } from '#ui/components/fields/MomentInput.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { type AsyncState, useAsync } from '#ui/components/hooks/use-async.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { formatDate, formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { dayOf } from '#ui/lib/text/calendar.ts'
import { previewUndo, type UndoPreview } from '#ui/state/changes/undo-all.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks for a user and a start time, and previews the result of the undo. */
export function UndoAllCard({ question, onAnswer, onCancel }: CardProps<'undoAll'>) {
  const { t } = useTranslation()
  const { names, sessions } = question
  const [username, setUsername] = useState(question.username || (names[0] ?? ''))
  const [session, setSession] = useState('')
  const [start, setStart] = useState(startOfToday)
  const request = { username, session, since: new Date(start) }
  const userSessions = sessions.filter((one) => one.username === username)
  const preview = useAsync(`${username} ${session} ${start}`, (signal) =>
    previewUndo(request, signal),
  )
  const count = preview.status === 'loaded' ? preview.value.count : 0
  return (
    <ConfirmCard
      title={t('prompts.undoAll.title')}
      hint={t('prompts.undoAll.hint')}
      action={t('prompts.undoAll.act', { count, value: formatNumber(count) })}
      tone="danger"
      disabled={count === 0}
      onConfirm={() => onAnswer(request)}
      onCancel={onCancel}
    >
      <Field label={t('activity.filter.person')}>
        <Select
          value={username}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={(event) => {
            setUsername(event.target.value)
            setSession('')
          }}
        />
      </Field>
      {userSessions.length > 0 && (
        <Field label={t('prompts.undoAll.session')}>
          <Select
            value={session}
            options={[
              { value: '', label: t('prompts.undoAll.anySession') },
              ...userSessions.map(({ session: value, address, time }) => ({
                value,
                label: t('prompts.undoAll.sessionOf', { address, time: formatDate(time, true) }),
              })),
            ]}
            onChange={(event) => setSession(event.target.value)}
          />
        </Field>
      )}
      <Field label={t('prompts.undoAll.since')}>
        <MomentInput value={start} onChange={setStart} />
      </Field>
      <UndoPreviewNotice preview={preview} />
    </ConfirmCard>
  )
}

function UndoPreviewNotice({ preview }: { preview: AsyncState<UndoPreview> }) {
  const { t } = useTranslation()
  if (preview.status === 'loading') return <Notice>{t('prompts.undoAll.looking')}</Notice>
  if (preview.status === 'failed') return <Notice tone="danger">{faultText(preview.error)}</Notice>
  const { count, problems } = preview.value
  const value = formatNumber(count)
  return (
    <>
      <Notice>{t('prompts.undoAll.outlook', { count, value })}</Notice>
      {problems.length > 0 && (
        <Notice>{t('prompts.undoAll.stay', { reasons: problems.join(' ') })}</Notice>
      )}
    </>
  )
}

/** In the local time, as `2026-11-18T00:00`. */
function startOfToday(): string {
  return `${dayOf(new Date())}T00:00`
}
