import { keyLabel } from '#ui/lib/gestures/keys.ts'
import './Kbd.css'

/** A key or a combination, with the labels of the user's keyboard. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className="Kbd">{keyLabel(keys)}</kbd>
}
