import { initialsOf } from '#ui/lib/initials.ts'
import './Avatar.css'

/** A person's initials in a circle. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="Avatar" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
