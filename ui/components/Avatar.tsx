import { initialsOf } from '#ui/lib/initials.ts'
import './Avatar.css'

/** The initials of a user in a circle. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="Avatar" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
