import { keyLabel } from '#ui/lib/keys.ts'
import './Kbd.css'

/** A key or a combination, as the person's keyboard spells it. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className="Kbd">{keyLabel(keys)}</kbd>
}
