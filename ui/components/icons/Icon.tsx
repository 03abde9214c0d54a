import { ICONS, type IconName } from '#ui/lib/icons.ts'
import './Icon.css'

export type { IconName }

interface IconProps {
  name: IconName
  /** Whether the icon has a direction and is mirrored in right-to-left languages. */
  mirror?: boolean
}

/** One Lucide icon. It is decorative: the element around it must have a text or an accessible name. */
export function Icon({ name, mirror }: IconProps) {
  return (
    <svg className="Icon" viewBox="0 0 24 24" data-mirror={mirror || undefined} aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}
