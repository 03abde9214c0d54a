/** The browser's dialogs for choosing files and folders. */
import { filesOfInput } from '#ui/lib/gestures/drag-files.ts'
import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import { TOUCH } from '#ui/lib/page/media.ts'

/** The dialogs that return handles. Some browsers do not have them, and TypeScript does not know them yet. */
interface PickerWindow {
  showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemFileHandle[]>
  showDirectoryPicker?(): Promise<FileSystemDirectoryHandle>
}

/**
 * Chooses any number of files. Resolves to an empty list if the user cancels. Requires a recent click or key press. If
 * the browser gives handles, an upload of the files resumes after the page was closed.
 */
export async function pickFiles(): Promise<FilePick[]> {
  // On phones, only a file input offers the photos.
  const dialog = matchMedia(TOUCH).matches ? undefined : pickerWindow().showOpenFilePicker
  const handles = dialog && (await answerOf(dialog({ multiple: true })))
  if (handles === 'cancelled') return []
  if (handles) return (await import('./chosen-handles.ts')).filesOf(handles)
  const input = fileInput()
  input.multiple = true
  return chooseFiles(input)
}

/**
 * Chooses one folder with its content, including empty folders if the browser gives its handle.
 *
 * @param onEmptyLeftOut called if the browser leaves out empty folders, as file inputs do
 */
export async function pickFolder(onEmptyLeftOut: () => void): Promise<FilePick[]> {
  const dialog = matchMedia(TOUCH).matches ? undefined : pickerWindow().showDirectoryPicker
  const handle = dialog && (await answerOf(dialog()))
  if (handle === 'cancelled') return []
  if (handle) return (await import('./chosen-handles.ts')).filesOfFolder(handle)
  const input = fileInput()
  input.webkitdirectory = true
  input.addEventListener('change', onEmptyLeftOut)
  return chooseFiles(input)
}

/** The dialogs are functions of the window and take no other `this`. */
function pickerWindow(): PickerWindow {
  const { showOpenFilePicker, showDirectoryPicker } = window as PickerWindow
  return {
    ...(showOpenFilePicker && { showOpenFilePicker: showOpenFilePicker.bind(window) }),
    ...(showDirectoryPicker && { showDirectoryPicker: showDirectoryPicker.bind(window) }),
  }
}

/** @returns undefined if the browser refuses to open the dialog */
async function answerOf<Handles>(
  answer: Promise<Handles>,
): Promise<Handles | 'cancelled' | undefined> {
  try {
    return await answer
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError'
    return isCancelled ? 'cancelled' : undefined
  }
}

/** Takes one photo with the camera, if the device has one. */
export function takePhoto(): Promise<FilePick[]> {
  const input = fileInput()
  input.accept = 'image/*'
  input.setAttribute('capture', 'environment')
  return chooseFiles(input)
}

function fileInput(): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'file'
  return input
}

/**
 * The input is part of the document while its dialog is open. Otherwise the browser may delete it as garbage before the
 * user has chosen, and the chosen files are lost.
 */
function chooseFiles(input: HTMLInputElement): Promise<FilePick[]> {
  input.hidden = true
  document.body.append(input)
  return new Promise<FilePick[]>((resolve) => {
    input.addEventListener('change', () => resolve(filesOfInput(input.files ?? [])))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  }).finally(() => input.remove())
}
