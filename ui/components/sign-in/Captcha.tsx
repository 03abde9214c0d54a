import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { loadCaptcha } from '#ui/lib/page/captcha.ts'
import { Notice } from '../feedback/Notice.tsx'
import './Captcha.css'

interface CaptchaProps {
  host: string
  siteKey: string
  /** Called with the response to send; it is empty after the response has expired. */
  onResponse(response: string): void
}

/** The captcha's widget. A response is valid only once: with a new `key`, React mounts a new widget. */
export function Captcha({ host, siteKey, onResponse }: CaptchaProps) {
  const { t } = useTranslation()
  const container = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  const latest = useRef(onResponse)
  latest.current = onResponse

  useEffect(() => {
    let isUnmounted = false
    loadCaptcha(host).then(
      (service) => {
        if (isUnmounted || !container.current) return
        // The service can fill an element only once, so it gets one that React does not manage.
        const widget = container.current.appendChild(document.createElement('div'))
        service.render(widget, {
          sitekey: siteKey,
          theme: isDark(container.current) ? 'dark' : 'light',
          callback: (response) => latest.current(response),
          'expired-callback': () => latest.current(''),
        })
      },
      () => setFailed(true),
    )
    return () => {
      isUnmounted = true
    }
  }, [host, siteKey])

  return (
    <>
      {hasFailed && <Notice tone="danger">{t('login.captchaFailed')}</Notice>}
      <div className="Captcha" ref={container} hidden={hasFailed} />
    </>
  )
}

function isDark(element: HTMLElement): boolean {
  const scheme = getComputedStyle(element).colorScheme
  return (
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  )
}
