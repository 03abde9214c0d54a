import { useState } from 'react'
import { Select } from '#ui/components/fields/Select.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { QrCode } from '#ui/components/pictures/QrCode.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { phoneUrls } from '#ui/state/administration/first-steps.ts'

/**
 * A QR code with a URL of this server for a phone: the URL of this page or, if only this computer can open that one, a
 * URL for each address of the computer's network interfaces. No external service is involved.
 */
export function PhoneStep({ hosts }: { hosts: readonly string[] }) {
  const { t } = useTranslation()
  const urls = phoneUrls({ hosts: [...hosts] })
  const [url = '', setUrl] = useState(urls[0])
  const hint = url === '' ? 'none' : hosts.length > 0 ? 'hint' : 'public'
  return (
    <li className="FirstStepsPanel__step">
      <Icon name="qr-code" />
      <div className="FirstStepsPanel__phone">
        <div>
          <span className="FirstStepsPanel__title">{t('firstSteps.phone.title')}</span>
          <span className="FirstStepsPanel__hint">
            {hint === 'none' ? <LocalHint /> : t(`firstSteps.phone.${hint}`)}
          </span>
          {urls.length > 1 ? (
            <Select
              aria-label={t('firstSteps.phone.choose')}
              value={url}
              onChange={(event) => setUrl(event.target.value)}
              options={urls.map((option) => ({ value: option, label: option }))}
            />
          ) : (
            url !== '' && (
              <span className="FirstStepsPanel__url" dir="ltr">
                {url}
              </span>
            )
          )}
        </div>
        {url !== '' && <QrCode text={url} sizePx={104} label={t('firstSteps.phone.qr', { url })} />}
      </div>
    </li>
  )
}

/** The option in a sentence: it stays on one line, and left to right in every language. */
const OPTION = '--address 0.0.0.0'

/** Says that only this computer reaches the server, and which option changes that. */
function LocalHint() {
  const { t } = useTranslation()
  const [before, after] = t('firstSteps.phone.none', { option: '|' }).split('|')
  return (
    <>
      {before}
      <code className="FirstStepsPanel__option" dir="ltr">
        {OPTION}
      </code>
      {after}
    </>
  )
}
