/** The browser's dialogs for choosing files and folders. */
import { type FilePick, filesOfInput } from '#ui/lib/gestures/drag-files.ts'
import { storeHandleSource } from '#ui/lib/gestures/file-handles.ts'
import { TOUCH } from '#ui/lib/page/media.ts'

/** The file dialog that returns handles. Some browsers do not have it, and TypeScript does not know it yet. */
interface PickerWindow {
  showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemFileHandle[]>
}

/**
 * Chooses any number of files. Resolves to an empty list if the user cancels. Requires a recent click or key press. If
 * the browser gives handles, an upload of the files resumes after the page was closed.
 */
export async function pickFiles(): Promise<FilePick[]> {
  // On phones, only a file input offers the photos.
  const handles = matchMedia(TOUCH).matches ? undefined : await pickHandles()
  if (handles) return filesOfHandles(handles)
  const input = fileInput()
  input.multiple = true
  return chooseFiles(input)
}

/** @returns undefined if the browser has no dialog that returns handles, or refuses to open it */
async function pickHandles(): Promise<FileSystemFileHandle[] | undefined> {
  try {
    return await (window as PickerWindow).showOpenFilePicker?.({ multiple: true })
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError'
    return isCancelled ? [] : undefined
  }
}

async function filesOfHandles(handles: readonly FileSystemFileHandle[]): Promise<FilePick[]> {
  return Promise.all(
    handles.map(async (handle) => {
      const file = await handle.getFile().catch(() => null)
      if (file) storeHandleSource(file, async () => handle)
      return { file, path: handle.name, isDir: false }
    }),
  )
}

/** Chooses one folder with its content. Browsers omit empty folders here; drag and drop includes them. */
export function pickFolder(): Promise<FilePick[]> {
  const input = fileInput()
  input.webkitdirectory = true
  return chooseFiles(input)
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
