/**
 * Names that Windows does not store as they are (Naming Files, Paths, and Namespaces). Some are refused by the system; others
 * would silently lead to something else: `nul.txt` to a device, `a.txt.` to `a.txt`, `a.txt:b` and `a.txt::$DATA` to a
 * stream of `a.txt`, `a\b` to another folder. Short names (`PROGRA~1`) are found out by name-aliases.ts.
 */
import { Fault } from '#wire/fault.ts'

/** Also with a superscript digit, as `COM¹`. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i
/** The control characters are a rule of Windows too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule names them
const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f]/
const ENDING = /[. ]$/
const NAME_MAX_UNITS = 255

/**
 * Refuses a name that Windows would not store as it is.
 *
 * @throws Fault badRequest with the rule of Windows
 */
export function requireWindowsName(name: string): void {
  const [forbidden] = FORBIDDEN.exec(name) ?? []
  if (forbidden !== undefined) throw refused(`contain ${described(forbidden)}`)
  if (ENDING.test(name)) {
    throw refused('end with a dot or a space', { reason: 'nameEnding' })
  }
  if (isDevice(name)) throw refused(`be ${name}, because Windows reserves it for a device`)
  if (name.length > NAME_MAX_UNITS) throw refused(`have more than ${NAME_MAX_UNITS} characters`)
}

/** A device has its name with every extension, and with spaces before it. */
function isDevice(name: string): boolean {
  const [stem = ''] = name.split('.')
  return DEVICE.test(stem.trimEnd())
}

function described(character: string): string {
  return character < ' ' ? 'a control character' : `the character ${character}`
}

function refused(rule: string, details: { reason?: 'nameEnding' } = {}): Fault {
  return new Fault('badRequest', `On Windows a name cannot ${rule}.`, details)
}
