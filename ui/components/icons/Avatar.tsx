import { initialsOf } from '#ui/lib/accounts/initials.ts'
import './Avatar.css'

/** A circle with the initials of a user. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="Avatar" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
