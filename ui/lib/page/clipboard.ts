/** Copies text to the system clipboard (docs/specification.md 5). */
import { Fault } from '#wire/fault.ts'

/**
 * Copies `text`: with the Clipboard API in a secure context, else through a selection.
 *
 * @throws Fault badRequest (the text is empty), forbidden (the browser refuses), unsupported (the browser has no
 *   clipboard access)
 */
export async function copyText(text: string): Promise<void> {
  if (text === '') throw new Fault('badRequest', 'No data was supplied!')
  if (window.isSecureContext && navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text)
    } catch (cause) {
      throw new Fault('forbidden', 'Permission denied!', { cause })
    }
  }
  if (!copyBySelection(text)) {
    throw new Fault('unsupported', 'None of copying methods are supported by this browser!')
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // While a dialog is open, only content inside it can be selected.
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  try {
    // Deprecated, but the only way in an insecure context; a browser may have removed it.
    return document.execCommand?.('copy') ?? false
  } catch {
    // Some browsers throw where they have no clipboard.
    return false
  } finally {
    area.remove()
  }
}
