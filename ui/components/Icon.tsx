import { ICONS, type IconName } from '#ui/lib/icons.ts'
import './Icon.css'

export type { IconName }

interface IconProps {
  name: IconName
  /** The icon points somewhere: it turns round in right-to-left languages. */
  mirror?: boolean
}

/** One Lucide icon; decoration only, so words belong beside it. */
export function Icon({ name, mirror }: IconProps) {
  return (
    <svg className="Icon" viewBox="0 0 24 24" data-mirror={mirror || undefined} aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}
