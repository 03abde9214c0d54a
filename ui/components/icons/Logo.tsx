import { pageSettings } from '#ui/lib/page/page.ts'
import './Logo.css'

/** The administrator's logo if there is one, else the product's in the accent colour. */
export function Logo() {
  const { Logo: isOwn, StaticURL } = pageSettings()
  if (isOwn) return <img className="Logo" src={`${StaticURL}/img/logo.svg`} alt="" />
  return (
    <svg className="Logo" viewBox="0 0 24 24" aria-hidden="true">
      <rect className="Logo__tile" width="24" height="24" rx="6" />
      <path
        className="Logo__back"
        d="M5.5 8.2c0-.94.76-1.7 1.7-1.7h2.5c.5 0 .97.22 1.3.6l.9 1.1h4.9c.94 0 1.7.76 1.7 1.7v1.6h-13Z"
      />
      <path
        className="Logo__front"
        d="M5.5 11.4c0-.6.5-1.1 1.1-1.1h10.8c.6 0 1.1.5 1.1 1.1v4.4c0 .94-.76 1.7-1.7 1.7H7.2c-.94 0-1.7-.76-1.7-1.7Z"
      />
    </svg>
  )
}
