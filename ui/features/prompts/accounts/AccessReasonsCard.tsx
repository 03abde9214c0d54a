import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { accessReasons, accessSubjects } from '#ui/state/administration/access-reasons.ts'
import { session } from '#ui/state/session/session.ts'
import { nameOf } from '#wire/paths.ts'
import type { CardProps } from '../parts/card.ts'
import { AccessReasonsList } from './AccessReasonsList.tsx'
import './AccessReasonsCard.css'

/** What a user may do with an entry, and why: the answer for an administrator whom the user asks. */
export function AccessReasonsCard({ question: { path }, onCancel }: CardProps<'accessReasons'>) {
  const { t } = useTranslation()
  const [username, setUsername] = useState(session.user?.username ?? '')
  /** The id of an app password of the user; empty: without one. */
  const [appPassword, setAppPassword] = useState('')
  const subjects = useAsync('subjects', accessSubjects)
  const reasons = useAsync(`${username}\n${appPassword}`, (signal) =>
    accessReasons(path, username, appPassword === '' ? undefined : Number(appPassword), signal),
  )
  const { usernames, appPasswords } =
    subjects.status === 'loaded'
      ? subjects.value
      : { usernames: [username], appPasswords: [] as never[] }
  const own = appPasswords.filter((one) => one.username === username)
  return (
    <Dialog
      title={t('settings.why.title', {
        name: shownName(nameOf(path)).text || t('places.home'),
      })}
      wide
      onClose={onCancel}
      actions={<Button onClick={onCancel}>{t('common.close')}</Button>}
    >
      <div className="AccessReasonsCard">
        {subjects.status === 'failed' && <Notice tone="danger">{faultText(subjects.error)}</Notice>}
        <Field label={t('settings.users.username')}>
          <Select
            value={username}
            options={usernames.map((name) => ({ value: name, label: name }))}
            onChange={(event) => {
              setUsername(event.target.value)
              setAppPassword('')
            }}
          />
        </Field>
        {own.length > 0 && (
          <Field label={t('settings.appPasswords.title')}>
            <Select
              value={appPassword}
              options={[
                { value: '', label: t('settings.why.without') },
                ...own.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              onChange={(event) => setAppPassword(event.target.value)}
            />
          </Field>
        )}
        {/* The height stays while another user is asked about. */}
        <div className="AccessReasonsCard__result" role="status">
          {reasons.status === 'loading' && <Loading />}
          {reasons.status === 'failed' && <Notice tone="danger">{faultText(reasons.error)}</Notice>}
          {reasons.status === 'loaded' && <AccessReasonsList reasons={reasons.value} />}
        </div>
      </div>
    </Dialog>
  )
}
